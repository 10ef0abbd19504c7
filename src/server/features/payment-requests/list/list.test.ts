import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../../tests/support/app.ts";
import { outcome, type Person } from "../../../../../tests/support/people.ts";
import { insertRequest, reviewList, type Query, type Row } from "../../../../../tests/support/payment-requests/review-list.ts";
import { startShop } from "../../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
let list: ReturnType<typeof reviewList>;
beforeAll(async () => {
  ({ app, operator } = await startShop());
  list = reviewList(operator);
});
afterAll(() => app?.close());

// LIST-1.
describe("the filters of the list", () => {
  const rows: [Row, string][] = [];
  beforeAll(async () => {
    for (const status of ["pending", "approved", "rejected"] as const) {
      for (const method of ["bitcoin", "ethereum", "thai_bank", null] as const) {
        for (const package_type of ["starter", "advanced"] as const) {
          for (const flagged of status === "pending" ? [true, false] : [false]) {
            const row = { status, method, package: package_type, flagged, name: "Filtered Person" };
            rows.push([row, await insertRequest(app, row)]);
          }
        }
      }
    }
  });

  const all = {
    status: ["pending", "approved", "rejected"],
    method: ["bitcoin", "ethereum", "thai_bank", "none"],
    package: ["starter", "advanced"],
    flagged: ["true", "false"],
  };
  const each = Object.entries(all).flatMap(([name, values]) => values.map((value): Query => ({ [name]: value })));
  const pairs = each.flatMap((one, index) =>
    each.slice(index + 1).flatMap((other) => (Object.keys(one)[0] === Object.keys(other)[0] ? [] : [{ ...one, ...other }])),
  );

  it.each([...each, ...pairs, { status: "pending", method: "bitcoin", package: "starter", flagged: "true" }])(
    "keep the requests of %j and no others",
    async (query) => {
      const expected = rows
        .filter(([row]) => Object.entries(query).every(([name, value]) => String(row[name as keyof Row] ?? "none") === value))
        .map(([, id]) => id);
      const own = new Set(rows.map(([, id]) => id));
      const listed = await list.ids({ ...query, limit: "100" });
      expect(listed.filter((id) => own.has(id)).toSorted()).toEqual(expected.toSorted());
      const searched = await list.ids({ ...query, search: "filtered person", limit: "100" });
      expect(searched.toSorted()).toEqual(expected.toSorted());
    },
  );

  it.each(["status=open", "method=paypal", "package=both", "flagged=1", "sort=random", "limit=0", "limit=101"])(
    "refuse a value that they do not have: %s",
    async (query) => {
      expect((await operator.call("GET", `/api/payment-requests?${query}`)).status).toBe(400);
    },
  );
});

// LIST-3.
describe("the order of the list", () => {
  const queries: Query[] = [{}, { status: "approved" }, { method: "ethereum" }, { search: "ordered person" }];

  beforeAll(async () => {
    for (let day = 1; day <= 12; day += 1) {
      // Two of one time, in weeks far apart.
      const at = `${2020 + (day % 6)}-05-${String(day).padStart(2, "0")}T10:00:00.123456Z`;
      for (const method of ["ethereum", "ethereum"] as const)
        await insertRequest(app, { status: "approved", method, at, name: "Ordered Person" });
    }
  });

  it.each(queries)("is by time and id in both directions, by pages of any size: %j", async (query) => {
    const newest = await list.walk({ ...query, limit: "100" });
    const stored = await app.sql<{ id: string }>("select id from payment_requests order by created_at desc, id desc");
    const listed = new Set(newest.map(({ id }) => id));
    expect(newest.map(({ id }) => id)).toEqual(stored.map(({ id }) => id).filter((id) => listed.has(id)));
    expect(newest.length).toBeGreaterThanOrEqual(24);
    expect(await list.walk({ ...query, limit: "5" })).toEqual(newest);
    expect(await list.walk({ ...query, limit: "7", sort: "oldest" })).toEqual(newest.toReversed());
  });

  it.each(
    queries.flatMap((query) => [
      { ...query, sort: "newest" },
      { ...query, sort: "oldest" },
    ]),
  )("has every request once while others arrive: %j", async (query) => {
    const before = (await list.walk({ ...query, limit: "100" })).map(({ id }) => id);
    const arrived: string[] = [];
    const arrive = async (): Promise<void> => {
      for (const at of ["2019-01-01T00:00:00Z", "2023-01-01T00:00:00Z", "2026-09-01T00:00:00Z"]) {
        if (arrived.length < 30)
          arrived.push(await insertRequest(app, { status: "approved", method: "ethereum", at, name: "Ordered Person" }));
      }
    };
    const walked = (await list.walk({ ...query, limit: "4" }, arrive)).map(({ id }) => id);
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((id) => !arrived.includes(id))).toEqual(before);
  });

  it("refuses a cursor of the other order, of another list or of no list", async () => {
    const { next_cursor: cursor } = (await list.read({ limit: "1" })).body;
    expect((await list.read({ cursor, sort: "newest" })).status).toBe(200);
    const forged = [
      ["newest", "0000-01-01T00:00:00.000000Z", randomUUID()],
      ["newest"],
      [randomUUID()],
      ["newest", "x", "y"],
    ].map((keys) => Buffer.from(JSON.stringify(keys)).toString("base64url"));
    for (const query of [{ cursor, sort: "oldest" }, ...forged.map((text) => ({ cursor: text })), { cursor: "%%" }]) {
      expect(outcome(await list.read(query)), JSON.stringify(query)).toEqual([400, "invalid_input"]);
    }
  });

  it.each(["newest", "oldest"])("takes a cursor of any time: %s", async (sort) => {
    const filters: Query[] = [{ status: "approved" }, { search: "ordered" }];
    for (const at of ["0001-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"]) {
      const cursor = Buffer.from(JSON.stringify([sort, at, randomUUID()])).toString("base64url");
      for (const filter of filters) expect((await list.read({ ...filter, sort, cursor })).status).toBe(200);
    }
  });
});

// LIST-2.
it("finds what is behind more requests than are looked at in order first", async () => {
  const years = [2001, 2001, 2001, 2003, 2003, 2003];
  const hidden: string[] = [];
  for (const [index, year] of years.entries()) {
    const row = { name: "Hidden Person", at: `${year}-05-01T10:00:00.12345${index}Z` } as const;
    hidden.push(await insertRequest(app, row));
  }
  await app.sql(
    `insert into payment_requests (payer_email, payer_full_name, package_type, original_usd, discount_percent, amount_usd, status,
       consent_version, consented_at, idempotency_key, created_at)
     select 'between@example.net', 'Person Between', 'starter', 497, 100, 0, 'pending', '1', now(), n::text,
       '2002-01-01'::timestamptz + n * interval '1 minute' from generate_series(1, 600) as n`,
  );
  // As autovacuum would: else each week of 25 years reads all that waits to be put into the index.
  await app.sql("select gin_clean_pending_list('payment_requests_search')");
  for (const limit of ["2", "3", "4", "100"]) {
    const query = { search: "hidden person", limit };
    expect((await list.walk({ ...query, sort: "oldest" })).map(({ id }) => id)).toEqual(hidden);
    expect((await list.walk(query)).map(({ id }) => id)).toEqual(hidden.toReversed());
  }
});
