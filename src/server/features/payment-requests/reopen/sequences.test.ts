import fc from "fast-check";
import { afterAll, beforeAll, expect, it } from "vitest";
import { includesPackage, type PackageType, type SubscriptionStatus } from "#domain/packages";
import type { PaymentStatus } from "#domain/payments/payment-request";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { decisions } from "../../../../../tests/support/payment-requests/decisions.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { outcome, student, type Answer, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let shop: ReturnType<typeof decisions>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  shop = decisions(app, operator);
});
afterAll(() => app?.close());

interface Requested {
  id: string;
  pack: PackageType;
  status: PaymentStatus;
  resubmitted: boolean;
  /** How often it was approved, reopened ones included. */
  approvals: number;
}

/** The rules in short: a log of what set the tier, from which an undone approval is taken out. */
class Model {
  readonly requests: Requested[] = [];
  log: { by: Requested | "hand"; tier: SubscriptionStatus }[] = [];
  entries = 0;

  get tier(): SubscriptionStatus {
    return this.log.at(-1)?.tier ?? "unpaid";
  }
  isOpen(pack: PackageType): boolean {
    return this.requests.some((one) => one.pack === pack && one.status === "pending");
  }
  maySubmit(pack: PackageType): boolean {
    return !this.isOpen(pack) && (this.tier === "unpaid" || !includesPackage(this.tier, pack));
  }
}

const packs = fc.constantFrom<PackageType>("starter", "advanced");
/** Mostly the first two, so that decisions of one request follow each other. */
const which = fc.oneof({ weight: 5, arbitrary: fc.nat(1) }, { weight: 1, arbitrary: fc.nat(5) });
const steps = fc.array(
  fc.oneof(
    { weight: 1, arbitrary: fc.record({ what: fc.constant("submit" as const), pack: packs }) },
    { weight: 5, arbitrary: fc.record({ what: fc.constant("approve" as const), which }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("reject" as const), which }) },
    { weight: 5, arbitrary: fc.record({ what: fc.constant("reopen" as const), which }) },
    { weight: 1, arbitrary: fc.record({ what: fc.constant("resubmit" as const), which }) },
    {
      weight: 1,
      arbitrary: fc.record({
        what: fc.constant("setTier" as const),
        tier: fc.constantFrom<SubscriptionStatus>("unpaid", "starter", "advanced"),
      }),
    },
  ),
  { minLength: 4, maxLength: 16 },
);
type Step = typeof steps extends fc.Arbitrary<(infer One)[]> ? One : never;

/** Does one step on the site and in the model, and compares whether it was allowed. */
async function take(model: Model, buyer: Person, step: Step): Promise<void> {
  if (step.what === "setTier") {
    expect((await shop.setTier(buyer, step.tier)).status).toBe(200);
    model.log.push({ by: "hand", tier: step.tier });
    return;
  }
  if (step.what === "submit") {
    const isAllowed = model.maySubmit(step.pack);
    const answer = await pay(buyer, { package_type: step.pack });
    expect(outcome(answer)).toEqual(isAllowed ? [201, undefined] : [409, expect.any(String)]);
    if (isAllowed) add(model, answer, step.pack);
    return;
  }
  const one = model.requests[step.which % Math.max(model.requests.length, 1)];
  if (one === undefined) return;
  const { isAllowed, answer } = await decide(model, buyer, one, step.what);
  expect([answer.status < 300, answer.status], `${step.what} ${one.status}`).toEqual([
    isAllowed,
    isAllowed ? answer.status : 409,
  ]);
}

function add(model: Model, { body }: Answer, pack: PackageType): void {
  model.requests.push({ id: body.id, pack, status: "pending", resubmitted: false, approvals: 0 });
  model.entries += 1;
}

async function decide(
  model: Model,
  buyer: Person,
  one: Requested,
  what: "approve" | "reject" | "reopen" | "resubmit",
): Promise<{ isAllowed: boolean; answer: Answer }> {
  const { status, pack } = one;
  if (what === "resubmit") {
    const isAllowed = status === "rejected" && !one.resubmitted && model.maySubmit(pack);
    const answer = await shop.resubmit(buyer, one.id, `again ${model.entries}`);
    if (isAllowed) add(model, answer, pack);
    if (isAllowed) one.resubmitted = true;
    return { isAllowed, answer };
  }
  const isAllowed = what === "reopen" ? status !== "pending" && !one.resubmitted && !model.isOpen(pack) : status === "pending";
  const answer = await (what === "approve" ? shop.approve(one.id, { confirm_downgrade: true }) : shop[what](one.id));
  if (!isAllowed) return { isAllowed, answer };
  model.entries += 1;
  if (what === "approve") {
    one.status = "approved";
    one.approvals += 1;
    model.log.push({ by: one, tier: pack });
  } else if (what === "reject") one.status = "rejected";
  else {
    one.status = "pending";
    model.log = model.log.filter(({ by }) => by !== one);
  }
  expect(answer.body).toMatchObject({ status: one.status, payer_tier: model.tier });
  return { isAllowed, answer };
}

/** Compares all that is stored of a student with the model. */
async function compare(model: Model, buyer: Person): Promise<void> {
  const ids = model.requests.map(({ id }) => id);
  expect(await shop.tierOf(buyer)).toBe(model.tier);
  const stored = await app.sql<{ id: string; status: string }>("select id, status from payment_requests where user_id = $1", [
    buyer.id,
  ]);
  expect(new Map(stored.map(({ id, status }) => [id, status]))).toEqual(
    new Map(model.requests.map(({ id, status }) => [id, status])),
  );
  const entries = await app.sql("select 1 from audit_log where subject_id = any($1)", [ids]);
  expect(entries.length).toBe(model.entries);
  const cancelled = await app.sql("select 1 from cancelled_receipts where request_id = any($1)", [ids]);
  const undone = model.requests.map(({ approvals, status }) => approvals - (status === "approved" ? 1 : 0));
  expect(cancelled.length).toBe(undone.reduce((sum, count) => sum + count, 0));
}

/** Every number up to the last one was given once, to a receipt that counts or to a cancelled one (DECIDE-4, REOPEN-3). */
async function compareReceipts(): Promise<void> {
  const numbers = await app.sql<{ number: number }>(
    `select split_part(receipt_number, '-', 2)::integer as number from (
       select receipt_number from payment_requests where receipt_number is not null
       union all select receipt_number from cancelled_receipts) as given order by 1`,
  );
  expect(numbers.map(({ number }) => number)).toEqual(numbers.map((_, index) => index + 1));
}

// REOPEN-1, REOPEN-2, REOPEN-3, DECIDE-1
it("agrees with a model over random submits, decisions, reopenings and tiers", { timeout: 400_000 }, async () => {
  const scenario = async (taken: Step[]): Promise<void> => {
    const [model, buyer] = [new Model(), await student(app)];
    for (const pack of ["starter", "advanced"] as const) await take(model, buyer, { what: "submit", pack });
    for (const step of taken) await take(model, buyer, step);
    await compare(model, buyer);
    await compareReceipts();
  };
  const undoBoth = (first: number): Step[] => [
    { what: "approve", which: 0 },
    { what: "approve", which: 1 },
    { what: "reopen", which: first },
    { what: "reopen", which: 1 - first },
  ];
  await fc.assert(fc.asyncProperty(steps, scenario), { numRuns: 20, examples: [[undoBoth(0)], [undoBoth(1)]] });
});

// REOPEN-2
it("an undone approval whose tier was taken away by hand changes no later one", async () => {
  const buyer = await student(app);
  const approve = async (package_type: PackageType): Promise<string> => {
    const id = await shop.request(buyer, { package_type });
    await shop.approve(id);
    return id;
  };
  const first = await approve("starter");
  await shop.setTier(buyer, "unpaid");
  await approve("starter");
  const last = await approve("advanced");
  await shop.reopen(first);
  await shop.reopen(last);
  expect(await shop.tierOf(buyer)).toBe("starter");
});
