import { join } from "node:path";
import { afterAll, afterEach, expect, it } from "vitest";
import { ask, asSuperuser, Rig } from "../../../../../tests/support/embedded-postgres/rig.ts";
import { migrate } from "../migrate.ts";

const rig = new Rig();
afterEach(() => rig.clear());
afterAll(() => rig.dispose());

const newDataDir = async () => join(await rig.folder(), "data");
const migrations = join(import.meta.dirname, "../../../../../migrations");

/** Leaves a database as versions before 0.2 made it. */
const beforeSiteRole = `alter schema public owner to pg_database_owner;
  revoke create on database pipwright from pipwright_site; drop role pipwright_site`;

/** Without the objects of extensions. */
const owners = `
  select distinct owner::regrole::text from (
    select oid, relowner as owner from pg_class where relnamespace = 'public'::regnamespace
    union select oid, proowner from pg_proc where pronamespace = 'public'::regnamespace
    union select oid, typowner from pg_type where typnamespace = 'public'::regnamespace
    union select oid, nspowner from pg_namespace where nspname = 'public') as things
  where not exists (select from pg_depend where objid = things.oid and deptype = 'e')`;

// RUN-10.
it("lets the application own its schema and nothing else", async () => {
  const { connection, stop } = await rig.start({ dataDir: await newDataDir() });
  await migrate(connection, migrations);
  expect(await ask(connection, owners)).toEqual([{ owner: "pipwright_site" }]);
  const rights = "rolsuper or rolcreatedb or rolcreaterole or rolreplication or rolbypassrls";
  const memberships = "(select count(*)::int from pg_auth_members where member = r.oid)";
  const role = `select ${rights} as rights, ${memberships} as memberships from pg_roles r where rolname = current_user`;
  expect(await ask(connection, role)).toEqual([{ rights: false, memberships: 0 }]);
  const refused: string[] = [];
  const statements = [
    "select pg_read_file('/etc/hostname')",
    "select pg_read_binary_file('postgresql.conf')",
    "select pg_ls_dir('.')",
    "select lo_import('/etc/hostname')",
    "copy accounts from '/etc/hostname'",
    "copy accounts to '/tmp/accounts'",
    "copy accounts from program 'id'",
    "copy accounts to program 'cat'",
    "create extension file_fdw",
    "create extension dblink",
    "create extension plperlu",
    "alter system set archive_command = 'id'",
    "alter role pipwright_site superuser",
    "create role other",
    "create database other",
    "drop database pipwright",
    "set role pipwright",
    "set session authorization pipwright",
    "select * from pg_authid",
  ];
  for (const statement of statements) {
    await ask(connection, statement).catch(({ code }: { code: string }) => code === "42501" && refused.push(statement));
  }
  expect(refused).toEqual(statements);
  await expect(ask({ ...connection, database: "postgres" }, "select 1")).rejects.toThrow(/permission denied for database/);
  await stop();
});

// RUN-10.
it("runs nothing of the application's schema with the superuser's rights at a start", async () => {
  const dataDir = await rig.madeDataDir();
  const first = await rig.start({ dataDir });
  await ask(
    first.connection,
    `create function rise(oid, regrole) returns boolean language plpgsql as $$ begin
       if current_user = 'pipwright' then execute 'alter role pipwright_site superuser'; end if;
       return $1 = $2::oid;
     end $$;
     create operator public.= (leftarg = oid, rightarg = regrole, function = rise)`,
  );
  await first.stop();
  const { connection, stop } = await rig.start({ dataDir });
  expect(await ask(connection, "select rolsuper from pg_roles where rolname = current_user")).toEqual([{ rolsuper: false }]);
  await stop();
});

// RUN-10.
it("lets the application add a trusted extension", async () => {
  const { connection, stop } = await rig.start({ dataDir: await rig.madeDataDir() });
  await ask(connection, "create extension pg_trgm");
  expect(await ask(connection, "select similarity('paid', 'paid') as same")).toEqual([{ same: 1 }]);
  await stop();
});

// RUN-4, RUN-10.
it("leaves alone a data folder on which an older version runs, and says so", async () => {
  const dataDir = await rig.madeDataDir();
  const { connection, stop } = await rig.start({ dataDir });
  await ask(asSuperuser(connection), beforeSiteRole);
  const failure = await rig.start({ dataDir }).catch((error: unknown) => error);
  expect(failure).toMatchObject({
    connection: undefined,
    message: expect.stringMatching(/ It is an older version: stop it first$/),
  });
  await stop();
});

// RUN-10.
it("takes over a database in which the superuser owned everything", async () => {
  const dataDir = await rig.madeDataDir();
  const first = await rig.start({ dataDir });
  const superuser = asSuperuser(first.connection);
  await ask(superuser, beforeSiteRole);
  await migrate(superuser, migrations);
  await ask(
    superuser,
    `create type mood as enum ('good'); create domain positive as int check (value > 0);
     create sequence alone; create view seen as select 1 as n; create materialized view kept as select 1 as n;
     create table counted (n serial, m mood, p positive); create procedure nothing() language sql as 'select 1';
     create schema extra; create table extra.more (n int)`,
  );
  expect(await ask(superuser, owners)).toContainEqual({ owner: "pipwright" });
  await first.stop();

  for (const start of ["the first start", "the next start"]) {
    const { connection, stop } = await rig.start({ dataDir });
    const ofExtensions = "select count(*)::int as n from pg_depend where deptype = 'e' and classid = 'pg_proc'::regclass";
    const foreign = `select proname from pg_proc where pronamespace = 'public'::regnamespace
      and proowner <> 'pipwright_site'::regrole and not exists (select from pg_depend where objid = pg_proc.oid and deptype = 'e')
      union all select relname from pg_class where relnamespace::regnamespace::text in ('public', 'extra')
      and relowner <> 'pipwright_site'::regrole`;
    expect(await ask(connection, foreign), start).toEqual([]);
    expect((await ask(connection, ofExtensions))[0]!["n"], start).toBeGreaterThan(0);
    await ask(connection, "alter table counted add column more int; alter table counted drop column more");
    await ask(connection, "alter type mood rename value 'good' to 'fine'; alter type mood rename value 'fine' to 'good'");
    await ask(connection, "insert into counted (m, p) values ('good', 1); insert into extra.more values (nextval('alone'))");
    expect(await migrate(connection, migrations)).toEqual([]);
    await stop();
  }
});

// AUDIT-1.
it("keeps the audit log from the application, except while a start migrates", async () => {
  const dataDir = await rig.madeDataDir();
  const ownersOf = `select relowner::regrole::text as log, nspowner::regrole::text as schema
    from pg_class join pg_namespace n on n.oid = relnamespace where relname = 'audit_log'`;
  for (const applied of [expect.arrayContaining(["0037-audit-log.sql"]), []]) {
    const { connection, seal, stop } = await rig.start({ dataDir });
    expect(await migrate(connection, migrations)).toEqual(applied);
    expect(await ask(connection, ownersOf)).toEqual([{ log: "pipwright_site", schema: "pipwright_site" }]);
    await ask(connection, "alter table audit_log add column later text; alter table audit_log drop column later");
    await seal();
    expect(await ask(connection, ownersOf)).toEqual([{ log: "pipwright", schema: "pipwright" }]);
    await ask(
      connection,
      "insert into audit_log (at, actor_email, action, subject_type, subject_id, ip) values (now(), '', '', '', '', '')",
    );
    await expect(ask(connection, "delete from audit_log")).rejects.toThrow("permission denied for table audit_log");
    await ask(connection, "create table later (n int); drop table later");
    await stop();
  }
});

// RUN-10, AUDIT-1.
it("runs no search function of the audit log as superuser or by the application", async () => {
  const { connection, seal, stop } = await rig.start({ dataDir: await rig.madeDataDir() });
  await migrate(connection, migrations);
  const replacement = `create or replace function search_keys(form text, tags text[] default '{}', prefix text default '') returns text[]
    language plpgsql immutable strict as $$ begin
      if current_user = 'pipwright' then execute 'alter role pipwright_site superuser'; end if;
      return '{planted}';
    end $$`;
  await ask(connection, replacement);
  await ask(
    connection,
    `insert into audit_log (at, actor_email, action, subject_type, subject_id, ip)
     select now(), n, '', '', '', '' from generate_series(1, 100) n`,
  );
  await seal();
  const found = "select count(*)::int as n from audit_log where search_keys(search_form('x'), '{}', '') @> '{planted}'";
  expect(await ask(connection, found)).toEqual([{ n: 100 }]);
  await ask(asSuperuser(connection), "vacuum analyze audit_log");
  expect(await ask(connection, "select rolsuper from pg_roles where rolname = current_user")).toEqual([{ rolsuper: false }]);
  await expect(ask(connection, replacement)).rejects.toThrow("must be owner of function search_keys");
  await stop();
});
