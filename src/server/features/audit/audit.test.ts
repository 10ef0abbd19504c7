import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { student, type Answer, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { auditSentence } from "#domain/audit/sentences";
import { recordAudit } from "../../platform/audit.ts";

let app: TestApp;
let operator: Person;
let buyer: Person;
let requestId: string;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  buyer = await student(app);
  requestId = (await pay(buyer, { package_type: "advanced" })).body.id;
  await operator.call("POST", `/api/payment-requests/${requestId}/approve`);
  await operator.call("POST", "/api/coupons", { code: "HALF_OFF", discount_starter: "50", discount_advanced: "50" });
  const plan = { title: "บทเรียน 100%", description: "D", module: "M", order_index: 1, package_type: "both" };
  await operator.call("POST", "/api/videos", { ...plan, video_url: "https://films.example/x" });
});
afterAll(() => app?.close());

const list = async (query: Record<string, string> = {}): Promise<any[]> => {
  const answer = await operator.call("GET", `/api/audit-log?${new URLSearchParams(query).toString()}`);
  expect(answer.status, JSON.stringify(answer.body)).toBe(200);
  return answer.body.items;
};
const actions = async (query?: Record<string, string>): Promise<string[]> => (await list(query)).map(({ action }) => action);

// AUDIT-4.
describe("the list of the audit log", () => {
  it("has who did what to whom, with the values before and after, newest first", async () => {
    const entries = await list();
    expect(entries.map(({ id }) => id)).toEqual(entries.map(({ id }) => id).toSorted((one, other) => other - one));
    const approval = entries.find(({ action }) => action === "payment-request.approve");
    expect(approval).toEqual({
      id: expect.any(Number),
      at: app.clock.now().toISOString(),
      actor_email: adminEmail,
      action: "payment-request.approve",
      subject_type: "payment-request",
      subject_id: requestId,
      details: expect.objectContaining({
        before: { status: "pending", tier: "unpaid" },
        after: { status: "approved", tier: "advanced", receipt_number: expect.any(String) },
      }),
      ip: "127.0.0.1",
    });
    expect(auditSentence(approval)).toBe(`approved the payment of ${buyer.email} (Advanced, 997 USD), tier unpaid → advanced`);
  });

  it("is filtered by actor, action and subject", async () => {
    expect(await actions({ actor: buyer.email })).toEqual(["payment-request.submit"]);
    expect(await actions({ action: "coupon.create" })).toEqual(["coupon.create"]);
    expect(await actions({ subject: requestId })).toEqual(["payment-request.approve", "payment-request.submit"]);
    expect(await actions({ subject: requestId, actor: adminEmail })).toEqual(["payment-request.approve"]);
    expect(await actions({ action: "nothing.like-this" })).toEqual([]);
  });

  it("tells apart subjects that have the same id", async () => {
    await operator.call("PUT", "/api/rejection-reasons", { reasons: ["Nothing has arrived."] });
    const ofBoth = ["rejection-reasons.replace", "wallet-settings.save"];
    expect(await actions({ subject: "1" })).toEqual(expect.arrayContaining(ofBoth));
    const ofSettings = await list({ subject: "1", subject_type: "wallet-settings" });
    expect(new Set(ofSettings.map(({ subject_type }) => subject_type))).toEqual(new Set(["wallet-settings"]));
    expect(await actions({ subject: "1", subject_type: "rejection-reasons", search: "arrived" })).toEqual([ofBoth[0]]);
    expect(await actions({ subject: "1", subject_type: "coupon" })).toEqual([]);
    expect(await actions({ subject_type: "coupon" })).toEqual(["coupon.create"]);
  });

  it.each([
    ["an address in the details", () => buyer.email.toUpperCase(), ["payment-request.approve", "payment-request.submit"]],
    ["Thai", () => "ทเรีย", ["video.create"]],
    ["a percent sign as itself", () => "100%", ["video.create"]],
    ["an underscore as itself", () => "half_off", ["coupon.create"]],
    ["nothing that is like it", () => "halfxoff", []],
  ])("is searched by %s", async (_, search, expected) => {
    expect(await actions({ search: search() })).toEqual(expected);
  });

  it.each(["pho\u031b\u0309", "ph\u1edf"])(
    "finds an accent whether it is typed as a mark of its own or not: %j",
    async (search) => {
      const actor = { id: null, email: "accents@example.com", ip: "" };
      // A mark at the beginning of a line belongs to nothing before it.
      const details = { after: { title: "Pho\u031b\u0309\n\u0303" } };
      await recordAudit(app.deps.db, actor, {
        at: app.clock.now(),
        action: "video.create",
        subject: { type: "video", id: "x" },
        details,
      });
      expect(await actions({ search, actor: actor.email })).toContain("video.create");
    },
  );

  it.each(["Νίκος", "ΝΊΚΟΣ", "σάββας", "ΣΆΒΒΑΣ", "ΒΑΣ", "Σ"])("finds a Greek name in any letter case: %s", async (search) => {
    const subject = randomUUID();
    await app.sql(
      `insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
        select now(), 'greek@example.com', 'greek.test', 'entry', $1, jsonb_build_object('after', jsonb_build_object('title', title)), ''
        from unnest(array['Νίκος Σάββας', 'ΝΊΚΟΣ ΣΆΒΒΑΣ']) as title`,
      [subject],
    );
    expect(await actions({ search: `greek.test ${search}`, subject })).toEqual(["greek.test", "greek.test"]);
    expect(await actions({ search: "greek.test ας", subject })).toEqual([]);
  });

  it.each(['"Risk" first', "C:\\new", "up", "ta"])(
    "finds a value with quotes, a backslash and line breaks: %j",
    async (search) => {
      const details = JSON.stringify({ after: { title: '"Risk" first, C:\\new\r\nup\tta' } });
      await app.sql(
        `insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
          values (now(), 'quoted@example.com', 'quoted.test', 'entry', 'x', $1, '')`,
        [details],
      );
      expect(await actions({ search: `quoted.test ${search}` })).toContain("quoted.test");
    },
  );

  it.each(["%", "_", "%25", "\\\\", "' or 1=1 --", " ", "ก".repeat(200), "\ud800", "{}"])(
    "takes any text: %j",
    async (search) => {
      await list({ search });
    },
  );

  it.each([
    ["the beginning of a word alone", "บ", ["video.create"]],
    ["two letters that begin no word", "ทเ", []],
    ["words in any order", () => `approve ${buyer.email}`, ["payment-request.approve"]],
    ["an id", () => requestId, ["payment-request.approve", "payment-request.submit"]],
  ])("is searched by %s", async (_, search, expected) => {
    expect(await actions({ search: typeof search === "string" ? search : search() })).toEqual(expected);
  });

  it("combines a search with filters, in whatever letter case they are", async () => {
    expect(await actions({ search: buyer.email, action: "payment-request.approve" })).toEqual(["payment-request.approve"]);
    expect(await actions({ search: "coupon", subject: "HALF_OFF", actor: adminEmail })).toEqual(["coupon.create"]);
    expect(await actions({ search: "coupon", subject: "half_off" })).toEqual([]);
  });

  it("is read a page at a time, while entries are added", async () => {
    const whole = await list();
    const seen: number[] = [];
    let query = "limit=2";
    for (;;) {
      const { body } = await operator.call("GET", `/api/audit-log?${query}`);
      seen.push(...body.items.map(({ id }: { id: number }) => id));
      if (body.next_cursor === null) break;
      query = `limit=2&cursor=${body.next_cursor}`;
      await operator.call("PATCH", "/api/coupons/HALF_OFF", { active: true });
    }
    expect(seen).toEqual(whole.map(({ id }) => id));
  });

  it.each(["cursor=x", "limit=0", "search=%00", "actor=%0a"])("refuses %s", async (query) => {
    expect((await operator.call("GET", `/api/audit-log?${query}`)).status).toBe(400);
  });

  it.each<Record<string, string>>([
    { search: "marked" },
    { actor: "marked@example.com", action: "marked.test" },
    { search: "marked.test entry", action: "marked.test" },
  ])("has each entry of a search once, newest first, over blocks of ids that lie apart: %j", async (query) => {
    const insert = async (gap: number): Promise<number> => {
      const [row] = await app.sql<{ id: string }>(
        `insert into audit_log (id, at, actor_email, action, subject_type, subject_id, ip) overriding system value
         select max(id) + $1, now(), 'marked@example.com', 'marked.test', 'entry', 'id', '127.0.0.1' from audit_log returning id`,
        [gap],
      );
      return Number(row!.id);
    };
    const ids: number[] = [];
    for (const gap of [1, 1, 40_000, 1, 16_384, 1, 1]) ids.push(await insert(gap));
    const seen: number[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const parameters = new URLSearchParams({ ...query, limit: "2", ...(cursor && { cursor }) });
      const { body }: Answer = await operator.call("GET", `/api/audit-log?${parameters}`);
      seen.push(...body.items.map(({ id }: { id: number }) => id));
      cursor = body.next_cursor;
      await insert(1);
    }
    expect(seen.slice(0, ids.length)).toEqual(ids.toReversed());
    expect(seen).toEqual([...new Set(seen)].toSorted((one, other) => other - one));
  });
});
