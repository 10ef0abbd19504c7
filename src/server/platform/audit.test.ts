import { join } from "node:path";
import pg from "pg";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../../../tests/support/app.ts";
import { scratchDatabase, type ScratchDatabase } from "../../../tests/support/database/scratch-database.ts";
import { SITE_ROLE } from "./db/embedded/cluster/access-files.ts";
import { giveSchema } from "./db/embedded/server/site-role.ts";
import { migrate } from "./db/migrate.ts";

let app: TestApp;
let own: ScratchDatabase;
beforeAll(async () => {
  app = await startApp();
  own = await scratchDatabase("empty");
  await giveSchema(own.client, own.connection.database!);
  await migrate({ ...own.connection, user: SITE_ROLE }, join(import.meta.dirname, "../../../migrations"));
});
afterAll(async () => {
  await app?.close();
  await own?.drop();
});

const insert = `insert into audit_log (at, actor_email, action, subject_type, subject_id, ip)
  values (now(), 'system', 'test', 'test', '1', '')`;

const changes = [
  "update audit_log set actor_email = 'nobody'",
  "update audit_log set details = '{}' where false",
  "delete from audit_log",
  "truncate audit_log",
  "with gone as (delete from audit_log returning *) select * from gone",
  "insert into audit_log overriding system value select * from audit_log on conflict (id) do update set actor_email = 'nobody'",
  "merge into audit_log using accounts on false when not matched then do nothing when matched then delete",
];

/** Returns the statements that are not refused for lack of rights. */
async function allowed(client: Pick<pg.Client, "query">, statements: string[]): Promise<string[]> {
  const passed: string[] = [];
  for (const statement of statements) {
    await client.query(statement).then(
      () => passed.push(statement),
      (error: { code: string }) => error.code === "42501" || passed.push(`${statement}: ${error.code}`),
    );
    await client.query("rollback");
  }
  return passed;
}

// AUDIT-1.
it("refuses the site's role every change of the audit log and of its rights", async () => {
  const waysRound = [
    "drop table audit_log",
    "drop table audit_log cascade",
    "drop schema public cascade",
    "alter schema public rename to other",
    "alter table audit_log rename to other",
    "alter table audit_log owner to pipwright_site",
    "alter table audit_log disable trigger all",
    "alter table audit_log add column more text",
    "create trigger mine before insert on audit_log for each row execute function notify_mail()",
    "create rule mine as on insert to audit_log do instead nothing",
    "create index mine on audit_log (at)",
    "drop trigger audit_log_append_only on audit_log",
    "drop function refuse_audit_change() cascade",
    "create or replace function refuse_audit_change() returns trigger language plpgsql as 'begin return null; end'",
    "begin; lock table audit_log in access exclusive mode",
    "set session_replication_role = replica",
    "select 1 from audit_log for update",
  ];
  const client = await app.deps.db.$client.connect();
  await client.query(insert);
  const before = await app.sql("select * from audit_log order by id");
  expect(await allowed(client, [...changes, ...waysRound])).toEqual([]);
  // A grant of rights that one lacks is a warning.
  await client.query("grant all on audit_log to current_user");
  expect(await allowed(client, changes)).toEqual([]);
  client.release();
  expect(await app.sql("select * from audit_log order by id")).toEqual(before);
});

// AUDIT-1.
it.each([
  ["the role that migrated a database of its own", SITE_ROLE],
  ["a superuser", undefined],
])("refuses changes of the audit log to %s", async (_, user) => {
  const client = new pg.Client({ ...own.connection, ...(user === undefined ? {} : { user }) });
  await client.connect();
  await client.query(insert);
  expect(await allowed(client, changes)).toEqual([]);
  expect((await client.query("select 1 from audit_log")).rowCount).toBeGreaterThan(0);
  await client.end();
});

// AUDIT-1.
it("refuses changes to an owner who took the rights back", async () => {
  const client = new pg.Client({ ...own.connection, user: SITE_ROLE });
  await client.connect();
  await client.query("begin; grant all on audit_log to current_user");
  for (const statement of ["update audit_log set action = 'x'", "delete from audit_log", "truncate audit_log"]) {
    await client.query("savepoint before");
    await expect(client.query(statement)).rejects.toThrow("The audit log is append-only");
    await client.query("rollback to before");
  }
  await client.query("rollback");
  await client.end();
});
