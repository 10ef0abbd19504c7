import { afterAll, beforeAll, beforeEach, afterEach, describe, expect, it } from "vitest";
import { account, approved, changeRequest, nok, object1, request, rows } from "../support/constraints/rows.ts";
import { accountRefusals } from "../support/constraints/accounts.ts";
import { courseRefusals } from "../support/constraints/course.ts";
import { fileRefusals } from "../support/constraints/files.ts";
import { mailRefusals } from "../support/constraints/mails.ts";
import { quoteRefusals } from "../support/constraints/quotes.ts";
import { chainRefusals, filmRefusals, requestRefusals, slipRefusals } from "../support/constraints/payment-requests.ts";
import { operatorRefusals } from "../support/constraints/operator.ts";
import { refusedDecisions } from "../support/constraints/decisions.ts";
import { refusedParts, type Refusal } from "../support/constraints/parts.ts";
import { walletRefusals } from "../support/constraints/wallet.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

/** Rules that the database itself holds, also against psql and against two processes at once. */
let database: ScratchDatabase;
beforeAll(async () => {
  database = await scratchDatabase("migrated");
  await database.client.query(rows);
});
afterAll(() => database.drop());
beforeEach(() => database.client.query("begin"));
afterEach(() => database.client.query("rollback"));

const refusals: Refusal[] = [
  ...operatorRefusals,
  ...accountRefusals,
  ...mailRefusals,
  ...quoteRefusals,
  ...fileRefusals,
  ...filmRefusals,
  ...slipRefusals,
  ...courseRefusals,
  ...chainRefusals,
  ...walletRefusals,
  ...requestRefusals,
  ...refusedParts,
  ...refusedDecisions,
];

describe("the database refuses", () => {
  it.each(refusals)("%s", async (_what, statement, constraint) => {
    await expect(database.client.query(statement)).rejects.toMatchObject({ constraint });
  });

  it("by every check and unique rule it has", async () => {
    const { rows: found } = await database.client.query<{ name: string }>(`
      select conname as name from pg_constraint where contype = 'c' and connamespace = 'public'::regnamespace
      union select c.relname from pg_index i join pg_class c on c.oid = i.indexrelid
        where i.indisunique and not i.indisprimary and c.relnamespace = 'public'::regnamespace`);
    const tried = new Set(refusals.map(([, , constraint]) => constraint));
    // A key of accounts that only lets profiles refer to it; the id alone is unique already.
    const untried = found.map(({ name }) => name).filter((name) => name !== "accounts_id_email_key" && !tried.has(name));
    expect(untried).toEqual([]);
  });
});

describe("the database allows", () => {
  it.each([
    ["a second sign-up beside a verified account", account("nok@example.com")],
    ["a second request for the other package", request({ user_id: nok, package_type: "'advanced'", idempotency_key: "'2'" })],
    ["the same key by another student", request()],
    ["a transaction that another request claims", request({ reference: "'tx'" })],
    [
      "two approved requests whose references are the same text in two methods",
      `${changeRequest(approved("'R1'"))}; ${request({ reference: "'tx'", crypto_type: "'ethereum'" })}; update payment_requests set ${approved("'R2'")} where status = 'pending'`,
    ],
    [
      "another request after a decision",
      `${changeRequest("status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a'")}; ${request({ user_id: nok, idempotency_key: "'2'" })}`,
    ],
    [
      "a transaction and a screenshot of a rejected request again",
      `${changeRequest("status = 'rejected', rejection_reason = 'r', decided_at = now(), decided_by = 'a'")}; ${request({ user_id: nok, idempotency_key: "'2'", reference: "'tx'", screenshot_object_id: object1 })}`,
    ],
    [
      "no payment where nothing is to be paid",
      request({
        amount_usd: "0",
        crypto_type: "null",
        amount_crypto: "null",
        wallet_address: "null",
        screenshot_url: "null",
        screenshot_object_id: "null",
      }),
    ],
    [
      "another code after the first is superseded",
      `update verification_codes set superseded = true; insert into verification_codes (user_id, email, code_hash, created_at, expires_at) values (${nok}, '', '', now(), now() + interval '1 s')`,
    ],
  ])("%s", async (_what, statement) => {
    await expect(database.client.query(statement)).resolves.toBeDefined();
  });
});

describe("deleting an account", () => {
  const count = async (table: string, where = "true"): Promise<number> => {
    const { rows: counted } = await database.client.query<{ n: number }>(
      `select count(*)::int as n from ${table} where ${where}`,
    );
    return counted[0]?.n ?? -1;
  };

  it("removes profile, sessions, codes, mail choices, read marks and quotes", async () => {
    await database.client.query(`delete from accounts where id = ${nok}`);
    expect(await count("profiles", `id = ${nok}`)).toBe(0);
    const tables = [
      "sessions",
      "verification_codes",
      "quotes",
      "mfa_factors",
      "mfa_challenges",
      "email_changes",
      "mail_choices",
      "news_reads",
    ];
    for (const table of tables) expect(await count(table)).toBe(0);
  });

  it("keeps payment requests and screenshots as they were", async () => {
    await database.client.query(`delete from accounts where id = ${nok}`);
    expect(await count("payment_requests", "user_id is null and payer_email = 'p@example.com' and quote_id is null")).toBe(1);
    expect(await count("stored_objects", "bucket = 'payment-screenshots' and owner_id is null")).toBe(2);
  });
});
