import type pg from "pg";
import { newClient } from "../../connections.ts";
import { SITE_ROLE, SUPERUSER } from "../cluster/access-files.ts";
import { socketConnection } from "./connect.ts";

/** The site's database in the cluster. */
export const DATABASE = "pipwright";

const MAKE_ROLE = `
  do $$ begin
    if not exists (select from pg_roles where rolname = '${SITE_ROLE}') then
      create role ${SITE_ROLE} login nosuperuser nocreatedb nocreaterole noreplication nobypassrls;
    end if;
  end $$;
  revoke connect on database postgres, template1 from public`;

const ours = "n.nspname !~ '^(pg_|information_schema$)'";

/** What belongs to an extension, or to a table, goes with it. */
const standsAlone = (catalog: string): string =>
  `not exists (select from pg_depend d where d.classid = '${catalog}'::regclass and d.objid = x.oid and d.deptype in ('a', 'i', 'e'))`;

/** In an older version the superuser was the site's role, and owned schemas, tables, sequences, routines and types. */
const TAKE_OVER = `
  do $$ declare thing text; begin
    for thing in
      select format('schema %I', n.nspname) from pg_namespace n
        where n.nspowner = '${SUPERUSER}'::regrole and ${ours}
          or n.nspname = 'public' and n.nspowner <> '${SITE_ROLE}'::regrole
      union all
      select format('table %s', x.oid::regclass) from pg_class x join pg_namespace n on n.oid = x.relnamespace
        where x.relowner = '${SUPERUSER}'::regrole and ${ours}
          and x.relkind in ('r', 'p', 'v', 'm', 'f', 'S') and ${standsAlone("pg_class")}
      union all
      select format('routine %s', x.oid::regprocedure) from pg_proc x join pg_namespace n on n.oid = x.pronamespace
        where x.proowner = '${SUPERUSER}'::regrole and ${ours} and ${standsAlone("pg_proc")}
      union all
      select format('type %s', x.oid::regtype) from pg_type x join pg_namespace n on n.oid = x.typnamespace
        where x.typowner = '${SUPERUSER}'::regrole and ${ours} and x.typtype in ('d', 'e', 'r') and ${standsAlone("pg_type")}
    loop
      execute format('alter %s owner to ${SITE_ROLE}', thing);
    end loop;
  end $$`;

/** Returns whether an older version made the database, which has no role of the site yet. */
export async function lacksSiteRole(owner: pg.Client): Promise<boolean> {
  const { rowCount } = await owner.query(
    "select 1 from pg_database where datname = $1 and not exists (select from pg_roles where rolname = $2)",
    [DATABASE, SITE_ROLE],
  );
  return rowCount === 1;
}

/**
 * Makes the site's role and database unless they exist, and gives the role the schema with everything in it: a database of an older
 * version is taken over. Repeated at every start, so one that was cut off is completed. `owner` is a superuser's connection.
 */
export async function prepareDatabase(owner: pg.Client, host: string): Promise<void> {
  await owner.query(MAKE_ROLE);
  const { rowCount } = await owner.query("select 1 from pg_database where datname = $1", [DATABASE]);
  if (!rowCount) await owner.query(`create database ${DATABASE}`);
  await asSuperuser(host, (client) => giveSchema(client, DATABASE));
}

/** Makes the audit log of the migrated database the superuser's. `host` is the server's socket folder. */
export function sealDatabase(host: string): Promise<void> {
  return asSuperuser(host, sealAuditLog);
}

async function asSuperuser(host: string, action: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = newClient(socketConnection(host, DATABASE, SUPERUSER));
  await client.connect();
  try {
    await action(client);
  } finally {
    await client.end();
  }
}

/**
 * Makes the site's role the owner of the schema, where it may also add trusted extensions such as pg_trgm. The superuser looks up
 * names in `pg_catalog` alone: a function or operator that the role has put into its schema would run with the superuser's rights.
 */
export async function giveSchema(client: pg.Client, database: string): Promise<void> {
  await client.query(
    `set local search_path = pg_catalog, pg_temp; grant create on database ${database} to ${SITE_ROLE}; ${TAKE_OVER}`,
  );
}

/**
 * Makes the superuser the owner of the audit log, which the site's role may then read and add to, and nothing else (AUDIT-1). The
 * schema goes with it, because a schema's owner may drop every table in it, and so do the functions by which it is searched.
 */
export async function sealAuditLog(client: pg.Client): Promise<void> {
  await client.query(`
    set local search_path = pg_catalog, pg_temp;
    alter schema public owner to ${SUPERUSER};
    grant usage, create on schema public to ${SITE_ROLE};
    alter table public.audit_log owner to ${SUPERUSER};
    alter function public.refuse_audit_change() owner to ${SUPERUSER};
    alter function public.search_form(text) owner to ${SUPERUSER};
    alter function public.search_keys(text, text[], text) owner to ${SUPERUSER};
    revoke all on public.audit_log from ${SITE_ROLE}, public;
    grant select, insert on public.audit_log to ${SITE_ROLE}`);
}
