import { readFileSync } from "node:fs";
import { drizzle } from "drizzle-orm/node-postgres";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Database } from "#server/platform/db/database";
import * as schema from "#server/platform/db/schema";
import { findAllForReview, type ReviewPage } from "#server/features/payment-requests/list/queries";
import { findAllAudit } from "#server/features/users/queries";
import { scratchDatabase, type ScratchDatabase } from "../support/scratch-database.ts";

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
  const numbers: Record<string, string> = { $requests: "4000", $users: "800", $pending: "100" };
  const rows = readFileSync("bench/admin/rows.sql", "utf8");
  await database.client.query(rows.replaceAll(/\$(requests|users|pending)/g, (name) => numbers[name]!));
  await database.client.query("analyze");
  const logger = { logQuery: (text: string, values: unknown[]) => void (sent = { text, values }) };
  db = drizzle(database.client, { schema, logger }) as unknown as Database;
});
afterAll(() => database?.drop());

async function nodesOf(query: Promise<unknown>): Promise<Node[]> {
  await query;
  const { rows } = await database.client.query(`explain (format json) ${sent.text}`, sent.values);
  const flat = (node: Node): Node[] => [node, ...(node.Plans ?? []).flatMap(flat)];
  return flat(rows[0]["QUERY PLAN"][0].Plan);
}

const requests = (page: Partial<ReviewPage>): Promise<unknown> =>
  findAllForReview(db, { filter: {}, sort: "newest", after: undefined, limit: 51, ...page });

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
  { search: "gmail.com" },
  { search: "zzzzqqqq" },
  { search: "สมชาย" },
  { search: "0.0112" },
  { search: "a" },
  { search: "gmail.com", status: "pending" },
];

// LIST-1, LIST-2.
describe("a page of payment requests", () => {
  it.each(filters.flatMap((filter) => [{ filter, sort: "newest" } as const, { filter, sort: "oldest" } as const]))(
    "is read by an index, in steps that need no sort of all matches: %j",
    async (page) => {
      const after = { createdAt: "2026-01-01T00:00:00.000000Z", id: "00000000-0000-4000-8000-000000000000" };
      for (const nodes of [await nodesOf(requests(page)), await nodesOf(requests({ ...page, after }))]) {
        const whole = nodes.filter((node) => node["Node Type"] === "Seq Scan" && node["Relation Name"] === "payment_requests");
        expect(whole).toEqual([]);
        const indexes = nodes.flatMap((node) => node["Index Name"] ?? []);
        const { status: _, ...others } = page.filter;
        const own = Object.keys(others).length > 0 ? "payment_requests_search" : "payment_requests_";
        expect(
          indexes.some((name) => name.startsWith(own)),
          indexes.join(", "),
        ).toBe(true);
        if (own === "payment_requests_search") expect(nodes.map((node) => node["Node Type"])).toContain("Incremental Sort");
        const costly = nodes.filter((node) => /^Gather|^BitmapAnd/.test(node["Node Type"]));
        expect(costly).toEqual([]);
      }
    },
  );
});

// USER-4.
it("the audit log of a student is read by the indexes of subjects and of the student's requests", async () => {
  const { rows } = await database.client.query("select user_id from payment_requests where user_id is not null limit 1");
  const nodes = await nodesOf(findAllAudit(db, rows[0].user_id, 50));
  expect(nodes.filter((node) => node["Node Type"] === "Seq Scan")).toEqual([]);
  const indexes = nodes.flatMap((node) => node["Index Name"] ?? []);
  expect(indexes).toEqual(expect.arrayContaining(["payment_requests_mine", "audit_log_subject"]));
});
