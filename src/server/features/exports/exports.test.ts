import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { adminEmail, type TestApp } from "../../../../tests/support/app.ts";
import { csvRecords } from "../../../../tests/support/database/csv.ts";
import { pay } from "../../../../tests/support/payments.ts";
import { admin, student, visitor, type Person } from "../../../../tests/support/people.ts";
import { turnOnSecondFactor } from "../../../../tests/support/second-factor.ts";
import { startShop } from "../../../../tests/support/shop.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { exportUsers } from "../users/service.ts";

let app: TestApp;
let operator: Person;
let buyers: Person[];
let paid: string;

const hostileNames = ['=HYPERLINK("https://evil.example","Click")', 'Ann "Quote", Jr.', "สมชาย ใจดี", "＝1+1", "Two\nlines"];

beforeAll(async () => {
  ({ app, operator } = await startShop());
  buyers = [];
  for (const name of hostileNames) {
    const buyer = await student(app);
    await app.sql("update profiles set full_name = $2 where id = $1", [buyer.id, name]);
    buyers.push(buyer);
  }
  paid = (await pay(buyers[0]!, { package_type: "advanced", crypto_type: "thai_bank", coupon_code: "LUNCH" })).body.id;
  for (const buyer of buyers.slice(1, 3)) await pay(buyer);
  await operator.call("POST", `/api/payment-requests/${paid}/approve`, { amount_received: "8000" });
  await operator.call("POST", `/api/payment-requests/${paid}/reopen`, { reason: "The transfer came back" });
  await operator.call("POST", `/api/payment-requests/${paid}/approve`);
});
afterAll(() => app?.close());

const take = async (path: string, who: Person = operator): Promise<{ headers: Headers; rows: Record<string, string>[] }> => {
  const reply = await fetch(new URL(path, app.url), { headers: { authorization: `Bearer ${who.accessToken}` } });
  const bytes = new Uint8Array(await reply.arrayBuffer());
  expect(reply.status, new TextDecoder().decode(bytes)).toBe(200);
  expect([...bytes.subarray(0, 3)]).toEqual([0xef, 0xbb, 0xbf]);
  return { headers: reply.headers, rows: csvRecords(new TextDecoder().decode(bytes)) };
};
const entries = async (): Promise<any[]> =>
  app.sql("select actor_email, action, details from audit_log where action like 'export.%' order by id");

// EXPORT-1, EXPORT-2.
describe("an export", () => {
  it("exports payments as a bookkeeper needs them, cancelled receipts included", async () => {
    const { rows, headers } = await take("/api/export/payments.csv");
    expect(headers.get("content-type")).toBe("text/csv; charset=utf-8");
    const day = app.clock.now().toISOString().slice(0, 10);
    expect(headers.get("content-disposition")).toBe(`attachment; filename="payments-${day}.csv"`);
    expect(headers.get("cache-control")).toBe("no-store");
    expect(rows).toHaveLength(3);
    const year = day.slice(0, 4);
    expect(rows.find(({ id }) => id === paid)).toMatchObject({
      receipt_number: `${year}-00002`,
      cancelled_receipts: `${year}-00001`,
      status: "approved",
      submitted_at: app.clock.now().toISOString(),
      decided_by: adminEmail,
      email: buyers[0]!.email,
      full_name: `'${hostileNames[0]}`,
      package: "advanced",
      original_usd: "997",
      coupon_code: "LUNCH",
      discount_percent: "70",
      discount_usd: "697.9",
      amount_usd: "299.1",
      method: "thai_bank",
      currency: "THB",
      amount_due: "10468.50",
      destination: expect.stringMatching(/./),
    });
  });

  it("exports every user's name exactly and without formulas", async () => {
    const { rows } = await take("/api/export/users.csv?sort=oldest");
    const expected = hostileNames.map((name) => (/^[=＝]/.test(name) ? `'${name}` : name));
    expect(new Set(rows.map(({ full_name }) => full_name))).toEqual(new Set(expected));
    const buyer = rows.find(({ email }) => email === buyers[0]!.email);
    expect(buyer).toMatchObject({ package: "advanced", email_verified: "yes", second_factor: "no" });
  });

  it("exports every student once although all sign in while the file is read", async () => {
    await app.sql(`with made as (
        insert into accounts (email, password_hash, created_at) select 'many-' || n, 'x', now() from generate_series(1, 1100) as n
        returning id, email
      ) insert into profiles (id, email, full_name) select id, email, 'Many' from made`);
    const ids: unknown[] = [];
    for await (const rows of exportUsers(app.deps.db, { sort: "last-sign-in" }).batches) {
      ids.push(...rows.map(([id]) => id));
      await app.sql("update accounts set last_sign_in_at = now()");
    }
    expect(new Set(ids).size).toBe(1100 + buyers.length);
    await app.sql("delete from accounts where email like 'many-%'");
  });

  it("exports audit entries with their sentences and details", async () => {
    const { rows } = await take(`/api/export/audit.csv?subject=${paid}`);
    expect(rows.map(({ action }) => action)).toEqual([
      "payment-request.approve",
      "payment-request.reopen",
      "payment-request.approve",
      "payment-request.submit",
    ]);
    expect(rows[0]!["what_happened"]).toMatch(/^approved the payment of .*, tier unpaid → advanced$/);
    expect(JSON.parse(rows[0]!["details"]!)).toMatchObject({ after: { tier: "advanced" } });
    expect((await take(`/api/export/audit.csv?subject=${paid}&subject_type=coupon`)).rows).toEqual([]);
  });

  it("has the filters of its list, and an entry in the audit log that names them", async () => {
    const { rows } = await take("/api/export/payments.csv?status=pending&method=bitcoin&unknown=1");
    expect(rows.map(({ status }) => status)).toEqual(["pending", "pending"]);
    expect((await take(`/api/export/users.csv?tier=unpaid&search=${buyers[1]!.email}`)).rows).toHaveLength(1);
    expect((await entries()).slice(-2)).toEqual([
      { actor_email: adminEmail, action: "export.payments", details: { filters: { status: "pending", method: "bitcoin" } } },
      { actor_email: adminEmail, action: "export.users", details: { filters: { tier: "unpaid", search: buyers[1]!.email } } },
    ]);
  });

  it("is refused with bad filters and to non-admins, without an entry, as is HEAD", async () => {
    const before = await entries();
    expect((await operator.call("GET", "/api/export/payments.csv?status=odd")).body.code).toBe("invalid_input");
    expect((await buyers[0]!.call("GET", "/api/export/users.csv")).status).toBe(403);
    expect((await visitor(app).call("GET", "/api/export/audit.csv")).status).toBe(401);
    expect((await operator.call("HEAD", "/api/export/audit.csv")).status).toBe(200);
    expect(await entries()).toEqual(before);
  });

  it("leaves no query behind when an export is broken off", async () => {
    // In parts, since each entry is written to the search index too; blanks have hardly any keys there.
    for (let part = 0; part < 5; part++) {
      await app.sql(`insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
        select now(), 'system', 'test.many', 'test', n::text, jsonb_build_object('text', repeat(' ', 1000)), ''
        from generate_series(1, 2000) as n`);
    }
    const leaving = new AbortController();
    const headers = { authorization: `Bearer ${operator.accessToken}` };
    const reply = await fetch(`${app.url}/api/export/audit.csv`, { headers, signal: leaving.signal });
    await reply.body!.getReader().read();
    leaving.abort();
    const pool = app.deps.db.$client;
    await soon(() => {
      expect(pool.idleCount).toBe(pool.totalCount);
      return Promise.resolve();
    });
    expect((await take("/api/export/audit.csv?action=test.many")).rows).toHaveLength(10_000);
  });
});

// EXPORT-3.
it("totals months by method and package, with cancelled receipts on own lines", async () => {
  const { rows } = await take("/api/export/months.csv");
  const line = {
    month: app.clock.now().toISOString().slice(0, 7),
    method: "thai_bank",
    package: "advanced",
    count: "1",
    amount_usd: "299.1",
    amount: "10468.5",
    currency: "THB",
  };
  expect(rows).toEqual([
    { ...line, receipts: "valid" },
    // What the approval that was undone had stated (REOPEN-3).
    { ...line, receipts: "cancelled", amount: "8000" },
  ]);
});

// EXPORT-4.
describe("the link of an export", () => {
  const linkTo = async (name: string, filters: Record<string, string>, who = operator): Promise<any> =>
    who.call("POST", `/api/export/${name}/link`, { filters });
  const open = (url: string) => visitor(app).call("GET", url);

  it("opens without a token of the session, for a minute, with its filters alone", async () => {
    const { body } = await linkTo("users", { tier: "advanced" });
    expect(body.expires_at).toBe(new Date(app.clock.now().getTime() + 60_000).toISOString());
    expect(csvRecords((await open(body.url)).body)).toHaveLength(1);
    expect((await entries()).at(-1)).toMatchObject({ actor_email: adminEmail, details: { filters: { tier: "advanced" } } });
    for (const changed of [
      body.url.replace("advanced", "unpaid"),
      body.url.replace("users", "audit"),
      `${body.url}&search=a`,
    ]) {
      expect(await open(changed)).toMatchObject({ status: 403, body: { code: "link_invalid" } });
    }
    app.clock.advance(60);
    expect((await open(body.url)).body.code).toBe("link_invalid");
  });

  it("ends with the session that made it", async () => {
    const other = await admin(app);
    const { body } = await linkTo("months", {}, other);
    expect((await open(body.url)).status).toBe(200);
    await other.call("POST", "/auth/v1/logout?scope=local");
    expect((await open(body.url)).body.code).toBe("link_invalid");
  });

  it("opens for an admin who has passed the second factor", async () => {
    const { person, authenticator } = await turnOnSecondFactor(app, await admin(app));
    const { body } = await linkTo("months", {}, person);
    expect((await open(body.url)).status).toBe(200);
    await person.call("DELETE", `/auth/v1/factors/${authenticator.factorId}`);
    operator = await admin(app);
  });

  it("is refused for unknown tables and bad filters", async () => {
    expect((await linkTo("secrets", {})).status).toBe(400);
    expect((await linkTo("payments", { status: "odd" })).body.code).toBe("invalid_input");
  });
});
