import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { decisions } from "../../../../tests/support/payment-requests/decisions.ts";
import { outcome, student, type Person } from "../../../../tests/support/people.ts";
import { startShop } from "../../../../tests/support/shop.ts";

let app: TestApp;
let operator: Person;
beforeAll(async () => {
  ({ app, operator } = await startShop());
});
afterAll(() => app.close());

const path = "/functions/v1/admin-users";
const setTier = (userId: string, newRole: string) => operator.call("PUT", path, { userId, newRole });

// LIST-4, USER-1.
describe("the list with filters", () => {
  const search = (query: string) => operator.call("GET", `/api/users?${query}`);
  /** Three students of a mark, an hour between them, who last signed in in another order. */
  const three = async (): Promise<{ mark: string; ids: string[] }> => {
    const mark = randomUUID();
    const rows = await app.sql<{ id: string }>(
      `insert into accounts (email, password_hash, email_verified_at, created_at, last_sign_in_at)
       select $1 || n || '@example.com', 'x', now(), timestamptz '2026-01-01' + n * interval '1 hour',
         case n when 0 then timestamptz '2026-03-01' when 1 then null else timestamptz '2026-02-01' end
       from generate_series(0, 2) n returning id`,
      [mark],
    );
    const ids = rows.map(({ id }) => id);
    await app.sql("insert into profiles (id, email, full_name) select id, email, 'Three' from accounts where id = any($1)", [
      ids,
    ]);
    return { mark, ids };
  };
  const walk = async (query: string): Promise<string[]> => {
    const ids: string[] = [];
    let cursor: string | null = "";
    for (let pages = 0; cursor !== null && pages < 9; pages++) {
      const { body }: { body: { items: { id: string }[]; next_cursor: string | null } } = await search(
        `${query}&limit=1${cursor && `&cursor=${cursor}`}`,
      );
      ids.push(...body.items.map(({ id }) => id));
      cursor = body.next_cursor;
    }
    return ids;
  };

  it.each([
    ["newest", [2, 1, 0]],
    ["oldest", [0, 1, 2]],
    ["last-sign-in", [0, 2, 1]],
  ] as const)("pages through students in the order %s", async (sort, order) => {
    const { mark, ids } = await three();
    expect(await walk(`search=${mark}&sort=${sort}`)).toEqual(order.map((index) => ids[index]));
  });

  it("lists the students of one tier", async () => {
    const { mark, ids } = await three();
    await setTier(ids[1]!, "advanced");
    expect(await walk(`search=${mark}&tier=advanced`)).toEqual([ids[1]]);
    expect(await walk(`search=${mark}&tier=unpaid&sort=oldest`)).toEqual([ids[0], ids[2]]);
  });

  it("refuses a cursor of another order, and an unknown tier or order", async () => {
    const { mark } = await three();
    const { next_cursor } = (await search(`search=${mark}&limit=1`)).body;
    for (const query of [`sort=oldest&cursor=${next_cursor}`, "tier=gold", "sort=sideways"]) {
      expect(await search(query)).toMatchObject({ status: 400, body: { code: "invalid_input" } });
    }
  });
});

describe("a tier set by hand", () => {
  // USER-2.
  it("does not overwrite a tier that was changed meanwhile", async () => {
    const someone = await student(app);
    const change = (newRole: string, expected: string) => operator.call("PUT", path, { userId: someone.id, newRole, expected });
    expect((await change("advanced", "unpaid")).status).toBe(200);
    expect((await change("starter", "advanced")).status).toBe(200);
    expect(await change("unpaid", "advanced")).toMatchObject({ status: 409, body: { code: "tier_changed" } });
    expect((await someone.call("GET", "/api/me")).body.subscription_status).toBe("starter");
    const rows = await app.sql("select 1 from audit_log where action = 'user.tier' and subject_id = $1", [someone.id]);
    expect(rows).toHaveLength(2);
  });

  it("is not undone once the same tier was paid for", async () => {
    const someone = await student(app);
    const shop = decisions(app, operator);
    const id = await shop.request(someone, { package_type: "starter" });
    const { change } = (await setTier(someone.id, "starter")).body;
    const undo = (undoes: unknown) =>
      operator.call("PUT", path, { userId: someone.id, newRole: "unpaid", expected: "starter", undoes });
    expect((await shop.approve(id)).status).toBe(200);
    expect(outcome(await undo(change))).toEqual([409, "tier_changed"]);
    expect(await shop.tierOf(someone)).toBe("starter");
    expect((await undo("the last")).status).toBe(400);
    expect((await undo(change + 1)).body).toMatchObject({ user: { subscription_status: "unpaid" }, change: change + 2 });
  });

  it("is changed by one of two windows at once, and the other is refused", async () => {
    const someone = await student(app);
    const answers = await Promise.all(
      ["starter", "advanced"].map((newRole) => operator.call("PUT", path, { userId: someone.id, newRole, expected: "unpaid" })),
    );
    expect(answers.map(({ status }) => status)).toEqual(expect.arrayContaining([200, 409]));
  });
});
