import { readFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/node-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { AuditFilter } from "#domain/api/audit";
import type { Database, Transaction } from "#server/platform/db/database";
import * as schema from "#server/platform/db/schema";
import { deleteUnfinishedSignUps, findByEmail } from "#server/features/auth/queries";
import { findAllEntries } from "#server/features/audit/queries";
import { findAllStudents } from "#server/features/users/list-queries";
import { findAllForReview, type ReviewPage } from "#server/features/payment-requests/list/queries";
import { findApprovalDurations } from "#server/features/payment-requests/queries";
import { findAllAudit } from "#server/features/users/queries";
import { claimDue } from "#server/platform/mail/queries";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";

/** What one statement does, as the planner says. */
interface Node {
  "Node Type": string;
  "Relation Name"?: string;
  "Index Name"?: string;
  Plans?: Node[];
}

let database: ScratchDatabase;
/** The last statement that was sent. */
let sent: { text: string; values: unknown[] };
let db: Database;

beforeAll(async () => {
  database = await scratchDatabase("migrated");
  const numbers: Record<string, string> = { $requests: "4000", $users: "4000", $pending: "100" };
  const rows = readFileSync("bench/admin/rows.sql", "utf8");
  await database.client.query(rows.replaceAll(/\$(requests|users|pending)/g, (name) => numbers[name]!));
  await database.client.query("analyze");
  const logger = { logQuery: (text: string, values: unknown[]) => void (sent = { text, values }) };
  db = drizzle(database.client, { schema, logger }) as unknown as Database;
});
afterAll(() => database?.drop());

/** Returns the nodes of the plan of a list's statement. */
async function nodesOf(list: () => Promise<unknown>): Promise<Node[]> {
  await list();
  const { rows } = await database.client.query(`explain (format json) ${sent.text}`, sent.values);
  const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return flat(rows[0]["QUERY PLAN"][0].Plan);
}

/** Expects that a list reads its table by an index whose name begins so, and in steps where that is for searches. */
async function expectIndex(name: string, list: () => Promise<unknown>): Promise<void> {
  const nodes = await nodesOf(list);
  const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan" && name.startsWith(node["Relation Name"]!));
  expect(whole).toEqual([]);
  const indexes = nodes.flatMap((node) => node["Index Name"] ?? []);
  expect(
    indexes.some((index) => index.startsWith(name)),
    indexes.join(", "),
  ).toBe(true);
  if (name.endsWith("_search")) expect(nodes.map((node) => node["Node Type"])).toContain("Incremental Sort");
  expect(nodes.filter((node) => /^Gather|^BitmapAnd/.test(node["Node Type"]))).toEqual([]);
}

const searches = ["gmail.com", "zzzzqqqq", "สมชาย", "0.0112", "a"];
const anId = "00000000-0000-4000-8000-000000000000";
const time = "2026-01-01T00:00:00.000000Z";

const filters: ReviewPage["filter"][] = [
  {},
  { status: "pending" },
  { status: "approved" },
  { method: "bitcoin" },
  { method: "none" },
  { package: "starter" },
  { flagged: "true" },
  { flagged: "false" },
  { status: "rejected", method: "thai_bank", package: "advanced" },
  { search: "gmail.com", status: "pending" },
  ...searches.map((search) => ({ search })),
];

// MAIL-10
it("finds the mail to send next by an index, however many wait", async () => {
  await database.client.query(`
    insert into mail_outbox (recipient, subject, created_at, next_attempt_at, is_optional)
    select 'a@example.com', 'News', now(), now(), n > 10 from generate_series(1, 4000) as n`);
  await database.client.query("analyze mail_outbox");
  const now = new Date();
  await expectIndex("mail_outbox_order", () => claimDue(db, { now, leaseEnd: now }, []));
});

// PAY-7
it("finds the newest approvals by an index", () =>
  expectIndex("payment_requests_approvals", () => findApprovalDurations(db, new Date(time), 100)));

describe("the accounts of an address", () => {
  const email = "nobody@example.org";
  it.each<[string, () => Promise<unknown>]>([
    ["accounts_verified_email", () => findByEmail(db, email)],
    ["accounts_unverified_email", () => findByEmail(db, email)],
    ["accounts_unverified_email", () => deleteUnfinishedSignUps(db as unknown as Transaction, email)],
  ])("are found by %s (%#)", (index, query) => expectIndex(index, query));
});

// LIST-1, LIST-2.
describe("a page of payment requests", () => {
  it.each(filters.flatMap((filter) => [{ filter, sort: "newest" } as const, { filter, sort: "oldest" } as const]))(
    "is read by an index, in steps that need no sort of all matches: %j",
    async (page) => {
      const { status: _, flagged, ...others } = page.filter;
      const isSearched = Object.keys(others).length > 0 || flagged === "true";
      const index = isSearched ? "payment_requests_search" : "payment_requests_";
      for (const after of [undefined, { createdAt: time, id: anId }])
        // A search has more than the requests that are looked at in order first could fill.
        await expectIndex(index, () => findAllForReview(db, { ...page, after, limit: isSearched ? 512 : 51 }));
    },
  );

  it.each<ReviewPage["filter"]>([{ method: "bitcoin" }, { search: "gmail.com" }])(
    "is read in order where many have what is asked for: %j",
    async (filter) => {
      for (const sort of ["newest", "oldest"] as const)
        await expectIndex("payment_requests_newest", () => findAllForReview(db, { filter, sort, after: undefined, limit: 51 }));
    },
  );
});

// USER-1, LIST-2.
describe("a page of users", () => {
  const sorts = [
    ["newest", "profiles_newest", "profiles_"],
    ["oldest", "profiles_newest", "profiles_"],
    ["last-sign-in", "accounts_last_sign_in", "profiles_search"],
  ] as const;
  const pages = sorts.flatMap(([sort, ofAll, ofTier]) => [
    { sort, index: ofAll, search: undefined, tier: undefined },
    { sort, index: ofTier, search: undefined, tier: "advanced" as const },
    { sort, index: "profiles_search", search: "gmail.com", tier: "starter" as const },
    ...searches.map((search) => ({ sort, index: "profiles_search", search, tier: undefined })),
  ]);

  it.each(pages)(
    "is read by an index, in steps that need no sort of all matches: %j",
    async ({ sort, index, search, tier }) => {
      for (const after of [undefined, { time, id: anId }])
        await expectIndex(index, () => findAllStudents(db, { search, tier }, { sort, after, limit: 51 }));
    },
  );
});

// AUDIT-4.
describe("a page of the audit log", () => {
  const action = "payment-request.reject";
  const pages: [string, AuditFilter][] = [
    ["audit_log_pkey", {}],
    ["audit_log_action", { action: "user.delete" }],
    ["audit_log_actor", { actor: "somebody@example.com" }],
    ["audit_log_subject", { subject: anId }],
    ["audit_log_subject", { subject: "1", subject_type: "wallet-settings" }],
    ["audit_log_search", { subject_type: "news" }],
    ["audit_log_search", { action, actor: "admin@example.org" }],
    ["audit_log_search", { action, search: "gmail.com" }],
    ...searches.map((search): [string, AuditFilter] => ["audit_log_search", { search }]),
  ];

  it.each(pages)("is read by %s, in steps that need no sort of all matches: %j", async (index, filter) => {
    // More than a glance at the newest entries could find.
    for (const before of [undefined, 5000]) await expectIndex(index, () => findAllEntries(db, filter, { before, limit: 301 }));
  });
});

// USER-4.
it("reads a student's audit log by the indexes of subjects and requests", async () => {
  const { rows } = await database.client.query("select user_id from payment_requests where user_id is not null limit 1");
  for (const page of [{ limit: 50 }, { before: 5000, limit: 51 }]) {
    const nodes = await nodesOf(() => findAllAudit(db, rows[0].user_id, page));
    expect(nodes.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
    const indexes = nodes.flatMap((node) => node["Index Name"] ?? []);
    expect(indexes).toEqual(
      expect.arrayContaining(["payment_requests_mine", expect.stringMatching(/^audit_log_subject(_id)?$/)]),
    );
  }
});

// LIST-2. The planner prefers an index in the order of the list for these, and would compute the keys of every row on its way.
describe("a short page of a shop with millions of rows", () => {
  beforeAll(async () => {
    for (const table of ["payment_requests", "accounts", "profiles", "audit_log"]) {
      await database.client.query(`alter table ${table} set (autovacuum_enabled = off)`);
      await database.client.query("update pg_class set reltuples = 2000000 where oid = $1::regclass", [table]);
    }
  });
  const review = (filter: ReviewPage["filter"], sort: ReviewPage["sort"]) =>
    findAllForReview(db, { filter, sort, after: undefined, limit: 2 });
  const students = (search: string | undefined, tier: "starter" | undefined, sort: "oldest" | "last-sign-in") =>
    findAllStudents(db, { search, tier }, { sort, after: undefined, limit: 2 });

  it.each<[string, () => Promise<unknown>]>([
    ["payment_requests_search", () => review({ method: "none", search: "zzzzqqqq" }, "oldest")],
    ["payment_requests_search", () => review({ search: "zzzzqqqq" }, "newest")],
    ["payment_requests_by_status", () => review({ status: "rejected", search: "gmail.com" }, "newest")],
    ["profiles_search", () => students(undefined, "starter", "last-sign-in")],
    ["profiles_search", () => students("gmail.com", undefined, "oldest")],
    [
      "audit_log_search",
      () => findAllEntries(db, { action: "user.delete", actor: "nobody@example.org" }, { before: undefined, limit: 2 }),
    ],
    ["audit_log_search", () => findAllEntries(db, { search: "zzzzqqqq" }, { before: undefined, limit: 2 })],
  ])("is read by %s (%#)", (index, list) => expectIndex(index, list));
});
