import { randomUUID } from "node:crypto";
import { afterAll, beforeAll, expect, it } from "vitest";
import { pay } from "../support/sites/course.ts";
import { csvRecords } from "../support/database/csv.ts";
import { adminSessionOf, caller, joinSite, type Call, type Member } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";
import { adminPassword, prepareSite, type Site } from "../support/sites/site-process.ts";
import { soon } from "../support/soon.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";

let postgres: OwnPostgres;
let site: Site;
let token: string;
let asAdmin: Call;

beforeAll(async () => {
  postgres = await startOwnPostgres();
  site = await prepareSite({ DATABASE_URL: postgres.url });
  await site.start();
  ({ access_token: token } = await adminSessionOf(site));
  asAdmin = caller(site, token);
  await asAdmin("PUT", "/api/wallet-settings", { ...walletForm, current_password: adminPassword });
  // More than is read at once, and more than sockets take before somebody reads; nobody searches it.
  await postgres.sql("drop index audit_log_search");
  await postgres.sql(`insert into audit_log (at, actor_email, action, subject_type, subject_id, details, ip)
    select now(), 'system', 'test.many', 'test', n::text, jsonb_build_object('text', repeat('long ', 800)), ''
    from generate_series(1, 3000) as n`);
});
afterAll(async () => {
  await site?.stop();
  await postgres?.remove();
});

const rows = async (statement: string): Promise<any[]> => (await postgres.sql(statement)).rows;
const join = (name: string): Promise<Member> => joinSite(site, `${name} ${randomUUID().slice(0, 8)}`, true);
const payStarter = (member: Member, reference: string): Promise<{ id: string }> =>
  pay(member, { package_type: "starter", method: "thai_bank", reference });
const reopen = (id: string): Promise<unknown> =>
  asAdmin("POST", `/api/payment-requests/${id}/reopen`, { reason: "The transfer came back." });

/** Waits until as many statements of the site as that wait for locks. */
const blocked = (count: number): Promise<void> =>
  soon(async () => {
    const waiting = await rows("select query from pg_stat_activity where wait_event_type = 'Lock'");
    expect(waiting).toHaveLength(count);
  });

/** What a decided request, its student and its receipts are now. */
async function stateOf({ id }: { id: string }): Promise<unknown> {
  const [state] =
    await rows(`select request.status, request.receipt_number is not null as has_receipt, subscription_status as tier,
      (select count(*)::int from cancelled_receipts where request_id = request.id) as cancelled,
      (select count(*)::int from audit_log where subject_id = request.id::text and action = 'payment-request.reopen') as entries
    from payment_requests as request join profiles on profiles.id = user_id where request.id = '${id}'`);
  return state;
}
const approved = { status: "approved", has_receipt: true, tier: "starter", cancelled: 0, entries: 0 };
const reopened = { status: "pending", has_receipt: false, tier: "unpaid", cancelled: 1, entries: 1 };

/** Begins to read an export and stops after its first piece; `rest` reads on. */
async function beginExport(): Promise<{ rest: () => Promise<string> }> {
  const headers = { authorization: `Bearer ${token}` };
  const reply = await fetch(`${site.url}/api/export/audit.csv?action=test.many`, { headers });
  expect(reply.status).toBe(200);
  const reader = reply.body!.getReader();
  const pieces = [(await reader.read()).value!];
  const rest = async (): Promise<string> => {
    for (let piece = await reader.read(); !piece.done; piece = await reader.read()) pieces.push(piece.value);
    return Buffer.concat(pieces).toString();
  };
  return { rest };
}

// REOPEN-1, EVIDENCE-6, EXPORT-2
it("leaves nothing half done when it is killed in the middle of its work", async () => {
  const [payer, one, other] = [await join("Payer"), await join("One"), await join("Other")];
  const paid = await payStarter(payer, "100000000001");
  await asAdmin("POST", `/api/payment-requests/${paid.id}/approve`, {});
  const first = await payStarter(one, "100000000002");
  await soon(async () => expect(await rows("select from flag_checks")).toHaveLength(0));
  const letFlags = await postgres.hold(`select from payment_requests where id = '${first.id}' for update`);
  const second = await payStarter(other, "100000000002");
  await blocked(1);
  const table = await beginExport();
  // The tier and the receipt are changed by then.
  const letEntries = await postgres.hold("lock table audit_log in access exclusive mode");
  const reopening = reopen(paid.id).catch((error: unknown) => error);
  await blocked(2);

  await site.kill();
  expect(await reopening).toBeInstanceOf(Error);
  await expect(table.rest()).rejects.toThrow("terminated");
  await letFlags();
  await letEntries();
  await soon(async () => expect(await rows("select from pg_stat_activity where client_addr is not null")).toHaveLength(0));
  expect(await stateOf(paid)).toEqual(approved);

  await site.start();
  await soon(async () => {
    const flagged = await rows(`select flagged from payment_requests where id in ('${first.id}', '${second.id}')`);
    expect(flagged).toEqual([{ flagged: true }, { flagged: true }]);
    expect(await rows("select from flag_checks")).toHaveLength(0);
  });
  const { rest } = await beginExport();
  expect(csvRecords(await rest())).toHaveLength(3000);
  await reopen(paid.id);
  expect(await stateOf(paid)).toEqual(reopened);
});

// REOPEN-1, REOPEN-4
it("reopens a payment once when it is killed as soon as that is stored", async () => {
  const payer = await join("Payer");
  const paid = await payStarter(payer, "100000000003");
  await asAdmin("POST", `/api/payment-requests/${paid.id}/approve`, {});
  await soon(async () => expect(await site.mailsFor(payer.email)).toHaveLength(3));
  const reopening = reopen(paid.id).catch(() => {});
  await soon(async () => expect(await stateOf(paid)).toEqual(reopened));
  await site.kill();
  await reopening;
  await site.start();
  await expect(reopen(paid.id)).rejects.toThrow("409");
  expect(await stateOf(paid)).toEqual(reopened);
  await soon(async () => expect(await site.mailsFor(payer.email)).toHaveLength(4));
});

// EXPORT-2
it("breaks an export off when the database ends the statement that reads it", async () => {
  const table = await beginExport();
  const letEntries = await postgres.hold("lock table audit_log in access exclusive mode");
  const failing = table.rest().catch((error: unknown) => error);
  await blocked(1);
  await postgres.sql("select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock'");
  expect(await failing).toMatchObject({ message: "terminated" });
  await letEntries();
});
