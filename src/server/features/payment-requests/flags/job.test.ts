import { randomBytes } from "node:crypto";
import pg from "pg";
import sharp from "sharp";
import { afterAll, beforeAll, describe, expect, inject, it, onTestFinished } from "vitest";
import { secondsAfter } from "#server/platform/clock";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { startEsplora } from "../../../../../tests/support/chains/esplora.ts";
import { lookUpDue } from "../../../../../tests/support/chains/jobs.ts";
import { behindTransaction } from "../../../../../tests/support/database/behind-transaction.ts";
import { flagJobOf } from "../../../../../tests/support/payment-requests/flag-job.ts";
import { pay, setUpWallets, walletForm, type PaymentChoice } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { startShop } from "../../../../../tests/support/shop.ts";
import { soon } from "../../../../../tests/support/soon.ts";
import { slipJobOf } from "../../../../../tests/support/slips/job.ts";
import { slipPicture } from "../../../../../tests/support/slips/slip-picture.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

/** A picture that is like no other. */
const somePicture = (): Promise<Buffer> =>
  sharp(randomBytes(24 * 24 * 3), { raw: { width: 24, height: 24, channels: 3 } })
    .resize(480, 480, { kernel: "nearest" })
    .png()
    .toBuffer();

const request = async (buyer: Person, choice: PaymentChoice = {}): Promise<string> => {
  const reply = await pay(buyer, { screenshot: await somePicture(), ...choice });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};
const check = (): Promise<void> => flagJobOf(app).run();
const decide = (id: string, how: string): Promise<unknown> =>
  operator.call("POST", `/api/payment-requests/${id}/${how}`, { reason: "No." });
const flagsOf = async (...ids: string[]): Promise<boolean[]> => {
  const rows = await app.sql<{ id: string; flagged: boolean }>("select id, flagged from payment_requests");
  return ids.map((id) => rows.find((row) => row.id === id)!.flagged);
};
const reference = (): string => randomBytes(32).toString("hex");

/** Compares every stored flag with the evidence of the moment, and returns how many are set. */
const countExact = async (): Promise<number> => {
  const stored = new Map((await app.sql<any>("select id, flagged from payment_requests")).map((row) => [row.id, row.flagged]));
  let cursor = "";
  do {
    const { body } = await operator.call("GET", `/api/payment-requests?limit=100${cursor}`);
    for (const item of body.items) expect([item.id, stored.get(item.id)]).toEqual([item.id, item.flagged]);
    cursor = body.next_cursor === null ? "" : `&cursor=${encodeURIComponent(body.next_cursor)}`;
  } while (cursor !== "");
  return [...stored.values()].filter(Boolean).length;
};

// EVIDENCE-6
describe("the flag of a request", () => {
  it("is stored with a disputed request, and soon after on the other one", async () => {
    const extra = { reference: reference() };
    const one = await request(await student(app), { extra });
    const two = await request(await student(app), { extra });
    expect(await flagsOf(one, two)).toEqual([false, true]);
    await check();
    expect(await flagsOf(one, two)).toEqual([true, true]);
    await countExact();
  });

  it("ends with a decision, also of another program, and returns when it is undone", async () => {
    const extra = { reference: reference() };
    const one = await request(await student(app), { extra });
    const two = await request(await student(app), { extra });
    await check();
    await decide(one, "reject");
    await app.sql(
      "update payment_requests set status = 'rejected', decided_at = now(), decided_by = 'x', rejection_reason = 'x' where id = $1",
      [two],
    );
    await check();
    expect(await flagsOf(one, two)).toEqual([false, false]);
    await decide(one, "reopen");
    await check();
    expect(await flagsOf(one, two)).toEqual([true, false]);
  });

  it("follows the tier of the student", async () => {
    const buyer = await student(app);
    const id = await request(buyer);
    for (const tier of ["advanced", "unpaid"]) {
      await operator.call("PUT", "/functions/v1/admin-users", { userId: buyer.id, newRole: tier });
      await check();
      expect(await flagsOf(id)).toEqual([tier === "advanced"]);
    }
  });

  it("ends where a student's other request with the reference is rejected", async () => {
    const buyer = await student(app);
    const extra = { reference: reference() };
    const [one, two] = [await request(buyer, { extra }), await request(buyer, { extra, package_type: "advanced" })];
    await check();
    expect(await flagsOf(one, two)).toEqual([true, true]);
    await decide(one, "reject");
    await check();
    expect(await flagsOf(one, two)).toEqual([false, false]);
  });

  it("follows the slips that are read", async () => {
    const code = { sending_bank: "004", reference: "016326101010BPP77001" };
    const [one, two] = [
      await request(await student(app), { crypto_type: "thai_bank", screenshot: await slipPicture(code, 3) }),
      await request(await student(app), { crypto_type: "thai_bank", screenshot: await slipPicture(code, 8) }),
    ];
    const slips = slipJobOf(app);
    await slips.job.run();
    await slips.close();
    await check();
    expect(await flagsOf(one, two)).toEqual([true, true]);
    await countExact();
  });

  it("follows a destination that is changed and changed back", async () => {
    const id = await request(await student(app));
    await check();
    const before = await countExact();
    await setUpWallets(operator, { bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3" });
    await check();
    expect(await flagsOf(id)).toEqual([true]);
    await setUpWallets(operator);
    await check();
    expect(await flagsOf(id)).toEqual([false]);
    expect(await countExact()).toBe(before);
  });

  it("is stored although its row is locked for longer than the idle limit", async () => {
    const buyer = await student(app);
    const extra = { reference: reference() };
    const [one, two] = [await request(buyer, { extra }), await request(buyer, { extra, package_type: "advanced" })];
    const lock = { text: "select 1 from payment_requests where id = $1 for update", values: [one] };
    await behindTransaction(app, lock, check, { text: "select pg_sleep(5.1)" });
    expect(await flagsOf(one, two)).toEqual([true, true]);
    expect(await app.sql("select * from flag_checks")).toEqual([]);
  });

  it("is not set by a process whose evidence is older than another's", async () => {
    const buyer = await student(app);
    const extra = { reference: reference() };
    const [one, two] = [await request(buyer, { extra }), await request(buyer, { extra, package_type: "advanced" })];
    const { database } = app.deps.db.$client.options;
    const other = new pg.Client({ ...inject("postgres"), database });
    await other.connect();
    onTestFinished(() => other.end());
    await other.query("begin");
    await other.query("select 1 from payment_requests where id = $1 for update", [one]);
    const slow = check();
    const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
    await soon(async () => expect(await app.sql(waiting)).toHaveLength(1));
    await decide(two, "reject");
    await check();
    await other.query("commit");
    await slow;
    expect(await flagsOf(one, two)).toEqual([false, false]);
  });

  it("is found by several processes at once, after one was stopped in between", async () => {
    const id = await request(await student(app));
    // Copies of a picture without its fingerprint, which are flagged as not compared.
    await app.sql(
      `with copies as (select n, gen_random_uuid() as object_id from generate_series(1, 250) as n), objects as (
         insert into stored_objects select copied.* from copies, stored_objects as object,
           jsonb_populate_record(object, jsonb_build_object('id', object_id, 'name', 'copy ' || n)) as copied
         where object.id = (select screenshot_object_id from payment_requests where id = $1)
       )
       insert into payment_requests select copied.* from copies, payment_requests as request,
         jsonb_populate_record(request, jsonb_build_object('id', gen_random_uuid(), 'user_id', null, 'quote_id', null,
           'idempotency_key', 'copy ' || n, 'screenshot_object_id', object_id, 'reference', 'copy ' || n / 2)) as copied
       where request.id = $1`,
      [id],
    );
    const dying = flagJobOf(app);
    const running = dying.run();
    await dying.stop();
    await running;
    await Promise.all([flagJobOf(app).run(), flagJobOf(app).run()]);
    await check();
    expect(await app.sql("select * from flag_checks")).toEqual([]);
    expect(await countExact()).toBeGreaterThanOrEqual(250);
  });
});

describe("the flag of a payment by coin", () => {
  it("follows what the chain says", async () => {
    const esplora = await startEsplora();
    const shop = await startShop({ environment: { BITCOIN_API_URL: esplora.url } });
    try {
      const transaction = esplora.pay(walletForm.bitcoin_address, "0.001");
      const buyer = await student(shop.app);
      const { id } = (await pay(buyer, { screenshot: await somePicture(), extra: { reference: transaction } })).body;
      const isFlagged = async (): Promise<boolean> => {
        await flagJobOf(shop.app).run();
        return (await shop.app.sql<any>("select flagged from payment_requests where id = $1", [id]))[0].flagged;
      };
      expect(await isFlagged()).toBe(false);
      esplora.mine(3, shop.app.clock.now());
      expect(await lookUpDue(shop.app)).toEqual([]);
      expect(await isFlagged()).toBe(true);
      // CHAIN-6
      esplora.instead = (incoming) => incoming.socket.destroy();
      shop.app.clock.advance(601);
      expect(await lookUpDue(shop.app)).toHaveLength(1);
      expect(await isFlagged()).toBe(true);
    } finally {
      await shop.app.close();
      await esplora.stop();
    }
  });
});

describe("the checks of flags", () => {
  it("sweep all pending requests every ten minutes, for what no change announces", async () => {
    const id = await request(await student(app));
    await check();
    await app.sql("update payment_requests set flagged = true where id = $1", [id]);
    await check();
    expect(await flagsOf(id)).toEqual([true]);
    app.clock.advance(601);
    await check();
    expect(await flagsOf(id)).toEqual([false]);
    // As a process leaves it whose clock was ahead.
    await app.sql("update payment_requests set flagged = true where id = $1", [id]);
    await app.sql("update flag_sweep set due_at = $1", [secondsAfter(app.clock.steady(), 901)]);
    await check();
    expect(await flagsOf(id)).toEqual([false]);
  });
});
