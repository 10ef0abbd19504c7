import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import { connectionDefaults, newClient, serverKeepAlive, setStatements, type ConnectionSettings } from "./connections.ts";
import { DatabaseStartError } from "./embedded/errors.ts";
import { errorLine } from "../logging/describe-error.ts";
import { lockKeys } from "./locks.ts";

/** Milliseconds to wait for the server's first reply. */
const firstAnswerMs = 4000;
/** Milliseconds to wait for a lock that traffic holds. */
const lockMs = 60_000;

export interface Migration {
  /** The file's name; migrations are applied in the order of their names. */
  name: string;
  sql: string;
  /** Of the file, in hex. */
  sha256: string;
}

/**
 * SQL of the oid of the site's schema: the first of the search path with its migrations, which may stand behind the current schema, and else
 * that one. What another program calls so, or its role may not read, is not the site's. Null where no schema of the path exists.
 */
export const siteSchema = `coalesce(
  (select c.relnamespace from unnest(current_schemas(false)) with ordinality as path (name, place)
    join pg_namespace n on n.nspname = path.name
    join pg_class c on c.relnamespace = n.oid and c.relname = 'schema_migrations'
    join pg_attribute a on a.attrelid = c.oid and a.attname = 'sha256'
    where has_table_privilege(c.oid, 'select') order by path.place limit 1),
  (select oid from pg_namespace where nspname = current_schema()))`;

/**
 * Applies the new files of `folder` in name order, each in one transaction, under a lock; one that deadlocks with traffic is tried again. Applies those of `only` where it is given, as
 * before a backup of then is restored. Throws a `DatabaseStartError` when an applied file has changed since or is missing in
 * `folder`, when a file fails, when the server is older than PostgreSQL 15, and when new tables would not go where the site's are.
 */
export async function migrate(connection: ConnectionSettings, folder: string, only?: ReadonlySet<string>): Promise<string[]> {
  const client = newClient({ ...connectionDefaults, ...connection });
  await client.connect();
  try {
    await refuseOldServer(client);
    // A migration has no time limit, even if the role has one.
    const limits = { statement_timeout: 0, lock_timeout: 0, idle_in_transaction_session_timeout: 0 };
    await client.query(setStatements("session", { ...limits, ...serverKeepAlive }));
    await client.query("select pg_advisory_lock($1)", [lockKeys.migration]);
    await refuseSecondSite(client);
    await client.query(
      "create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    return await applyMissing(client, folder, only);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const question = { text: "show server_version_num", query_timeout: firstAnswerMs };
  const { rows } = await client.query<{ server_version_num: string }>(question);
  const version = Number(rows[0]?.server_version_num);
  if (version < 150_000)
    throw new DatabaseStartError(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
}

/** A schema that was put before the site's, such as one with the name of the role, would get a new site, and hide the one that is used. */
async function refuseSecondSite(client: pg.Client): Promise<void> {
  const { rows } = await client.query<Record<"own" | "first" | "role" | "database", string>>(`
    select quote_ident(nspname) as own, quote_ident(current_schema()) as first, quote_ident(current_user) as role,
      quote_ident(current_database()) as database
    from pg_namespace where oid = ${siteSchema} and nspname <> current_schema()`);
  for (const { own, first, role, database } of rows)
    throw new DatabaseStartError(
      `The site is in the schema ${own}, and the search path has ${first} before it, where a new site would be made. ` +
        `For a second site, give it a role whose search path is ${first} alone. For this one rename ${first}, or run: ` +
        `alter role ${role} in database ${database} set search_path = ${own}`,
    );
}

/** Returns the files of `folder` in the order in which they are applied. */
export async function migrationsIn(folder: string): Promise<Migration[]> {
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  return Promise.all(
    names.map(async (name) => {
      const sql = await readFile(join(folder, name), "utf8");
      return { name, sql, sha256: createHash("sha256").update(sql).digest("hex") };
    }),
  );
}

async function applyMissing(client: pg.Client, folder: string, only?: ReadonlySet<string>): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migrations");
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const migrations = await migrationsIn(folder);
  const names = new Set(migrations.map(({ name }) => name));
  const unknown = [...applied.keys()].filter((name) => !names.has(name)).toSorted();
  if (unknown.length > 0) {
    throw new DatabaseStartError(
      `The database is newer than this program, which lacks migration ${unknown.join(", ")}. Start the newer program, or restore a backup.`,
    );
  }
  const fresh: string[] = [];
  for (const migration of migrations.filter(({ name }) => only?.has(name) ?? true)) {
    const known = applied.get(migration.name);
    if (known === migration.sha256) continue;
    if (known !== undefined)
      throw new DatabaseStartError(`Migration ${migration.name} has changed since it was applied. Migrations only go forward.`);
    await applyOne(client, migration);
    fresh.push(migration.name);
  }
  return fresh;
}

/** How often a migration is tried anew whose locks and those of traffic waited for each other. */
const deadlockTries = 5;

async function applyOne(client: pg.Client, migration: Migration, tries = deadlockTries): Promise<void> {
  const { name, sql, sha256 } = migration;
  try {
    await client.query(`begin isolation level read committed; set local lock_timeout = ${lockMs}`);
    await client.query(sql);
    await client.query("insert into schema_migrations (name, sha256) values ($1, $2)", [name, sha256]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback").catch(() => {});
    if (error instanceof pg.DatabaseError && error.code === "40P01" && tries > 1) return applyOne(client, migration, tries - 1);
    throw new DatabaseStartError(`Migration ${name} failed: ${errorLine(error)}`, { cause: error });
  }
}
