import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { sessionIdOf, student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => ({ app, operator } = await startShop()));
afterAll(() => app?.close());

describe("the lists", () => {
  it("lists requests newest first, in pages without gaps or repeats", async () => {
    const buyer = await student(app);
    for (const package_type of ["starter", "advanced"] as const) await pay(buyer, { package_type });
    const seen: string[] = [];
    let cursor: string | null = "";
    while (cursor !== null) {
      const query: string = cursor === "" ? "" : `&cursor=${cursor}`;
      const page = await operator.call("GET", `/api/payment-requests?limit=3${query}`);
      expect(page.status).toBe(200);
      seen.push(...page.body.items.map((item: { id: string }) => item.id));
      cursor = page.body.next_cursor;
    }
    const rows = await app.sql<{ id: string }>("select id from payment_requests order by created_at desc, id desc");
    expect(seen).toEqual(rows.map((row) => row.id));
  });

  it("lists a student's own requests newest first, in pages", async () => {
    const buyer = await student(app);
    const ids: string[] = [];
    for (const package_type of ["starter", "advanced", "starter"] as const) {
      app.clock.advance(1);
      ids.unshift((await pay(buyer, { package_type })).body.id);
      await operator.call("POST", `/api/payment-requests/${ids[0]}/reject`, { reason: "Not readable." });
    }
    const mine = async (query: string) => (await buyer.call("GET", `/api/payment-requests/mine${query}`)).body;
    const idsOf = ({ items }: { items: { id: string }[] }) => items.map(({ id }) => id);
    expect(idsOf(await mine(""))).toEqual(ids);
    const first = await mine("?limit=2");
    expect(idsOf(first)).toEqual(ids.slice(0, 2));
    expect(idsOf(await mine(`?limit=2&cursor=${first.next_cursor}`))).toEqual(ids.slice(2));
  });

  it("filters requests by state and by the payer's e-mail in any letter case", async () => {
    const buyer = await student(app);
    await pay(buyer);
    const found = await operator.call("GET", `/api/payment-requests?status=pending&search=${buyer.email.toUpperCase()}`);
    expect(found.body.items.length).toBe(1);
  });

  it.each(["%", "_", "\\", "' or 1=1", "%00"])("takes any text as the search for requests: %s", async (search) => {
    expect((await operator.call("GET", `/api/payment-requests?search=${encodeURIComponent(search)}`)).status).toBe(200);
  });

  it.each(["limit=0", "limit=101", "limit=x", "cursor=%25%25", "status=nonsense"])(
    "refuses a malformed query of the list of requests: %s",
    async (query) => {
      expect((await operator.call("GET", `/api/payment-requests?${query}`)).status).toBe(400);
    },
  );
});

describe("a screenshot", () => {
  it("opens a screenshot for its owner and the admin by a link of 5 minutes", async () => {
    const buyer = await student(app);
    const id = (await pay(buyer)).body.id;
    const urls: string[] = [];
    for (const viewer of [buyer, operator]) {
      const link = await viewer.call("GET", `/api/payment-requests/${id}/screenshot`);
      expect(link.status).toBe(200);
      expect(Date.parse(link.body.expires_at) - app.clock.now().getTime()).toBe(5 * 60 * 1000);
      urls.push(link.body.url);
      const file = await fetch(link.body.url);
      expect(file.status).toBe(200);
      expect(file.headers.get("content-type")).toBe("image/png");
    }
    const statuses = () => Promise.all(urls.map(async (url) => (await fetch(url)).status));
    app.clock.advance(5 * 60 - 1);
    expect(await statuses()).toEqual([200, 200]);
    app.clock.advance(1);
    expect(await statuses()).toEqual([403, 403]);
  });

  it("hides a screenshot from other students", async () => {
    const { id, screenshot_url: name } = (await pay(await student(app))).body;
    const stranger = await student(app, "advanced");
    expect((await stranger.call("GET", `/api/payment-requests/${id}/screenshot`)).status).toBe(404);
    const viewer = { id: stranger.id, sessionId: sessionIdOf(stranger) };
    const { path } = app.deps.links.sign("payment-screenshots", name, viewer, 60);
    expect((await fetch(app.url + path)).status).toBe(403);
  });

  it("hides a screenshot from its owner whose address is not verified", async () => {
    const buyer = await student(app);
    const { url } = (await buyer.call("GET", `/api/payment-requests/${(await pay(buyer)).body.id}/screenshot`)).body;
    const open = async (): Promise<number> => (await fetch(url)).status;
    expect(await open()).toBe(200);
    await app.sql("update accounts set email_verified_at = null where id = $1", [buyer.id]);
    expect(await open()).toBe(403);
  });
});

// EVIDENCE-4
it("says when a request's figures were quoted, also after a resubmission", async () => {
  const quotedAt = async (id: string): Promise<any> =>
    (await operator.call("GET", `/api/payment-requests/${id}`)).body.quoted_at;
  const buyer = await student(app);
  const quote_id = (await buyer.call("POST", "/api/quotes", { package_type: "starter" })).body.id;
  const quoted = app.clock.now().toISOString();
  app.clock.advance(60);
  const first = (await pay(buyer, { extra: { quote_id } })).body.id;
  expect(await quotedAt(first)).toBe(quoted);
  await operator.call("POST", `/api/payment-requests/${first}/reject`, { reason: "The screenshot cannot be read." });
  const key = { "idempotency-key": randomUUID() };
  const again = (await buyer.call("POST", `/api/payment-requests/${first}/resubmit`, {}, key)).body.id;
  expect(await quotedAt(again)).toBe(quoted);
  // Its quote goes with the account.
  await operator.call("DELETE", `/functions/v1/admin-users?userId=${buyer.id}`);
  expect(await quotedAt(again)).toBeNull();
});
