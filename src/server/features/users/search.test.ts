import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../../tests/support/app.ts";
import { admin, signIn, student, type Person } from "../../../../tests/support/people.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  app = await startApp();
  operator = await admin(app);
});
afterAll(() => app?.close());

const sorts = ["newest", "oldest", "last-sign-in"] as const;
type Query = Record<string, string>;

async function page(query: Query): Promise<{ items: { id: string }[]; next_cursor: string | null }> {
  const { status, body } = await operator.call("GET", `/api/users?${new URLSearchParams(query)}`);
  expect(status, JSON.stringify(body)).toBe(200);
  return body;
}

const found = async (search: string, query: Query = {}): Promise<string[]> =>
  (await page({ ...query, search, limit: "100" })).items.map(({ id }) => id);

/** Returns the ids of a list, page by page; `between` runs after each page. */
async function walk(query: Query, between: () => Promise<unknown> = async () => undefined): Promise<string[]> {
  const ids: string[] = [];
  for (let cursor: string | undefined, ended = false; !ended; await between()) {
    const { items, next_cursor } = await page(cursor === undefined ? query : { ...query, cursor });
    ids.push(...items.map(({ id }) => id));
    cursor = next_cursor ?? undefined;
    ended = next_cursor === null;
  }
  return ids;
}

interface Row {
  name: string;
  email?: string;
  tier?: string;
  joined?: string;
  seen?: string | null;
}

/** Stores a student as a sign-up does. */
async function insertStudent({
  name,
  tier = "unpaid",
  joined = "2026-02-03T04:05:06Z",
  seen = null,
  ...row
}: Row): Promise<string> {
  const id = randomUUID();
  await app.sql(
    `insert into accounts (id, email, password_hash, email_verified_at, created_at, last_sign_in_at)
     values ($1::uuid, coalesce($2, $1::text || '@example.net'), 'x', now(), $3, $4)`,
    [id, row.email ?? null, joined, seen],
  );
  await app.sql(
    "insert into profiles (id, email, full_name, subscription_status) select id, email, $2, $3 from accounts where id = $1",
    [id, name, tier],
  );
  return id;
}

// USER-1, LIST-2.
describe("the search of students", () => {
  it.each(sorts)("finds e-mail and name in any script and letter case, or a part of them: %s", async (sort) => {
    const mark = randomUUID().slice(0, 8);
    const email = `chloe.garcia-${mark}@mail.example`;
    const id = await insertStudent({ name: "Chloé สมชาย ใจดี", email, seen: "2026-03-01T00:00:00Z" });
    const searches = [
      email,
      email.toUpperCase(),
      email.slice(3, 17),
      "CHLOÉ",
      "hloé",
      "สมชาย",
      "มชา",
      `ใจดี ${mark}`,
      `@mail.ex ${mark}`,
    ];
    for (const search of searches) expect(await found(search, { sort }), search).toContain(id);
    for (const search of [`x${mark}`, `${mark} nowhere`, "chloé garcía", "มชย"])
      expect(await found(search, { sort })).not.toContain(id);
  });

  it("finds a name whose accents are typed as marks of their own", async () => {
    const id = await insertStudent({ name: "Nguy\u1ec5n" });
    for (const search of ["nguye\u0302\u0303n", "Nguy\u1ec5n"]) expect(await found(search), search).toContain(id);
  });

  it.each(["Γιώργος Παπαδόπουλος", "ΓΙΏΡΓΟΣ ΠΑΠΑΔΌΠΟΥΛΟΣ"])("finds a Greek name in any letter case: %s", async (name) => {
    const id = await insertStudent({ name });
    for (const search of ["Γιώργος", "ΠΑΠΑΔΌΠΟΥΛΟΣ", "παπαδόπουλοσ", "ΛΟΣ", "λος", "ΓΙΏΡΓΟΣ παπαδόπουλος"])
      expect(await found(search), search).toContain(id);
    for (const search of ["ος", "Σ", "γιώργοςπ"]) expect(await found(search), search).not.toContain(id);
  });

  it("takes a word as itself that is a unit beside an amount", async () => {
    const [anna, eth] = [await insertStudent({ name: "Anna Smithson" }), await insertStudent({ name: "Eth Smithson" })];
    expect(await found("smithson")).toEqual(expect.arrayContaining([anna, eth]));
    expect(await found("Eth Smithson")).toEqual([eth]);
  });

  it("finds words by their first letter or two, and no others", async () => {
    const id = await insertStudent({ name: "Łucja Öz ฤทัย" });
    for (const search of ["ł", "ÖZ", "ฤ", "ฤท"]) expect(await found(search), search).toContain(id);
    for (const search of ["uc", "z", "ทั"]) expect(await found(search), search).not.toContain(id);
  });

  it.each(["%", "_", "%_s", "\\", "k\\s"])("takes %j as itself", async (search) => {
    const id = await insertStudent({ name: "100%_sure %x _y \\z back\\slash" });
    const other = await insertStudent({ name: "100 sure x y z backslash" });
    expect(await found(search)).toContain(id);
    expect(await found(search)).not.toContain(other);
  });

  it("finds a student by the new name and address, and no longer by the old ones", async () => {
    const id = await insertStudent({ name: "Formername", email: "formeraddress@example.net" });
    await app.sql("update profiles set full_name = 'Presentname' where id = $1", [id]);
    await app.sql(
      `with account as (update accounts set email = 'presentaddress@example.net' where id = $1)
       update profiles set email = 'presentaddress@example.net' where id = $1`,
      [id],
    );
    for (const search of ["presentname", "presentaddress"]) expect(await found(search), search).toEqual([id]);
    for (const search of ["formername", "formeraddress"]) expect(await found(search), search).toEqual([]);
  });

  it("lists a student who signs in again first, and by the new tier", async () => {
    const mark = randomUUID().slice(0, 8);
    const query = { sort: "last-sign-in", tier: "unpaid" };
    const someone = await student(app);
    await someone.call("PUT", "/auth/v1/user", { data: { full_name: `Again ${mark}` } });
    const others = await Promise.all(
      ["2026-03-01T00:00:00Z", null].map((seen) => insertStudent({ name: `Again ${mark}`, seen })),
    );
    await app.sql("update accounts set last_sign_in_at = '2020-01-01' where id = $1", [someone.id]);
    expect(await found(mark, query)).toEqual([others[0], someone.id, others[1]]);
    await signIn(app, someone.email, someone.password);
    expect(await found(mark, query)).toEqual([someone.id, ...others]);
    await app.sql("update profiles set subscription_status = 'starter' where id = $1", [someone.id]);
    expect(await found(mark, query)).toEqual(others);
    expect(await found(mark, { ...query, tier: "starter" })).toEqual([someone.id]);
  });
});

// LIST-3.
describe("the order of a search", () => {
  const queries: Query[] = sorts.flatMap((sort): Query[] => [
    { sort, search: "ordered" },
    { sort, search: "ordered", tier: "starter" },
    { sort, tier: "starter" },
  ]);
  const stored: Record<(typeof sorts)[number], string> = {
    newest: "profiles.created_at desc, id desc",
    oldest: "profiles.created_at, id",
    "last-sign-in": "last_sign_in_at desc nulls last, id desc",
  };
  beforeAll(async () => {
    for (let index = 0; index < 18; index++) {
      // Two of one time, in weeks far apart; every third never signed in.
      const joined = `${2020 + (index % 5)}-05-${10 + Math.floor(index / 2)}T10:00:00.123456Z`;
      const seen = index % 3 === 0 ? null : `${2025 - (index % 2)}-0${1 + (index % 7)}-01T00:00:00.000001Z`;
      await insertStudent({ name: "Ordered Person", tier: "starter", joined, seen });
    }
  });

  it.each(queries)("is by time and id, by pages of any size: %j", async (query) => {
    const whole = await walk({ ...query, limit: "100" });
    const all = await app.sql<{ id: string }>(
      `select id from profiles join accounts using (id) where full_name = 'Ordered Person'
       order by ${stored[query["sort"] as (typeof sorts)[number]]}`,
    );
    const own = new Set(all.map(({ id }) => id));
    expect(whole.filter((id) => own.has(id))).toEqual(all.map(({ id }) => id));
    expect(await walk({ ...query, limit: "5" })).toEqual(whole);
  });

  it.each(queries)("has every student once while others arrive: %j", async (query) => {
    const before = await walk({ ...query, limit: "100" });
    const arrived: string[] = [];
    const arrive = async (): Promise<void> => {
      for (const at of ["2019-01-01T00:00:00Z", "2023-01-01T00:00:00Z", "2026-09-01T00:00:00Z"]) {
        if (arrived.length < 12)
          arrived.push(await insertStudent({ name: "Ordered Latecomer", tier: "starter", joined: at, seen: at }));
      }
    };
    const walked = await walk({ ...query, limit: "4" }, arrive);
    expect(new Set(walked).size).toBe(walked.length);
    expect(walked.filter((id) => !arrived.includes(id))).toEqual(before);
  });

  it.each(sorts)("takes a cursor of any time: %s", async (sort) => {
    for (const at of ["0001-01-01T00:00:00.000000Z", "1970-01-01T00:00:00.000000Z", "9999-12-31T23:59:59.999999Z"]) {
      const cursor = Buffer.from(JSON.stringify([sort, at, randomUUID()])).toString("base64url");
      await page({ sort, cursor, search: "ordered" });
    }
  });
});

// LIST-2.
it.each([" ", "USD", "' or 1=1 --", "ก".repeat(200), "😀", "\u0e48", "İ", "\ud800", "{a}", "\u200b"])(
  "takes any text: %j",
  async (search) => {
    await page({ search });
  },
);
