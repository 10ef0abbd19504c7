import { createHash } from "node:crypto";
import { readdir, readFile } from "node:fs/promises";
import { join } from "node:path";
import pg from "pg";
import type { ConnectionSettings } from "./database.ts";
import { lockKeys } from "./locks.ts";

/**
 * Brings a database up to date: each file of `folder` in name order, once, in one transaction each, under a lock. Throws when
 * an applied file has changed since, or when the server is older than PostgreSQL 15.
 */
export async function migrate(connection: ConnectionSettings, folder: string): Promise<string[]> {
  const client = new pg.Client(connection);
  await client.connect();
  try {
    await refuseOldServer(client);
    await client.query("select pg_advisory_lock($1)", [lockKeys.migration]);
    await client.query(
      "create table if not exists schema_migrations (name text primary key, sha256 text not null, applied_at timestamptz not null default now())",
    );
    return await applyMissing(client, folder);
  } finally {
    await client.end();
  }
}

async function refuseOldServer(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ server_version_num: string }>("show server_version_num");
  const version = Number(rows[0]?.server_version_num);
  if (version < 150_000) throw new Error(`PostgreSQL 15 or newer is needed; this server is ${Math.floor(version / 10_000)}.`);
}

async function applyMissing(client: pg.Client, folder: string): Promise<string[]> {
  const { rows } = await client.query<{ name: string; sha256: string }>("select name, sha256 from schema_migrations");
  const applied = new Map(rows.map((row) => [row.name, row.sha256]));
  const names = (await readdir(folder)).filter((name) => name.endsWith(".sql")).toSorted();
  const fresh: string[] = [];
  for (const name of names) {
    const sql = await readFile(join(folder, name), "utf8");
    const sha256 = createHash("sha256").update(sql).digest("hex");
    const known = applied.get(name);
    if (known === sha256) continue;
    if (known !== undefined) throw new Error(`Migration ${name} has changed since it was applied. Migrations only go forward.`);
    await applyOne(client, name, sql, sha256);
    fresh.push(name);
  }
  return fresh;
}

async function applyOne(client: pg.Client, name: string, sql: string, sha256: string): Promise<void> {
  await client.query("begin");
  try {
    await client.query(sql);
    await client.query("insert into schema_migrations (name, sha256) values ($1, $2)", [name, sha256]);
    await client.query("commit");
  } catch (error) {
    await client.query("rollback");
    throw new Error(`Migration ${name} failed: ${(error as Error).message}`, { cause: error });
  }
}
