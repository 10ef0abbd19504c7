import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import type { TestProject } from "vitest/node";
import { findSystemPostgres } from "#server/platform/db/embedded/binaries/find-binaries";
import { startEmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { SITE_ROLE, SUPERUSER } from "#server/platform/db/embedded/cluster/access-files";
import { giveSchema, sealAuditLog } from "#server/platform/db/embedded/server/site-role";
import { migrate } from "#server/platform/db/migrate";
import { openToAccounts } from "../sites/open-to-accounts.ts";

declare module "vitest" {
  export interface ProvidedContext {
    postgres: { host: string; port: number; user: string; database: string };
  }
}

/** One real PostgreSQL for the whole run, with a migrated database that each test file copies. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  const folder = await openToAccounts(await mkdtemp(join(tmpdir(), "pipwright-test-")));
  const isOnSystem = process.env["TEST_POSTGRES"] === "system" && project.name !== "server-embedded";
  const binaries = isOnSystem ? await findSystemPostgres() : undefined;
  if (isOnSystem && !binaries)
    throw new Error("TEST_POSTGRES=system, but this machine has no PostgreSQL 15 or newer of its own.");
  const postgres = await startEmbeddedPostgres({
    dataDir: folder,
    say: () => {},
    settings: { fsync: "off", synchronous_commit: "off", full_page_writes: "off", max_connections: "300" },
    ...(binaries ? { binaries } : {}),
  });
  // Tests make databases of their own, which the site's role may not.
  const superuser = { ...postgres.connection, user: SUPERUSER };
  await createTemplate(superuser);
  project.provide("postgres", superuser);
  return async () => {
    await postgres.stop();
    await rm(folder, { recursive: true, force: true });
  };
}

async function createTemplate(connection: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(connection);
  await client.connect();
  await client.query("create database template_migrated");
  await client.end();
  const template = new pg.Client({ ...connection, database: "template_migrated" });
  await template.connect();
  await giveSchema(template, "template_migrated");
  await migrate(
    { ...connection, user: SITE_ROLE, database: "template_migrated" },
    join(import.meta.dirname, "../../../migrations"),
  );
  await sealAuditLog(template);
  await template.end();
}
