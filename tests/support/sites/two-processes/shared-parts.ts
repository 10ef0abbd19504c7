import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import pg from "pg";
import { SITE_ROLE, SUPERUSER } from "#server/platform/db/embedded/cluster/access-files";
import { startEmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { openToAccounts } from "../open-to-accounts.ts";
import { prepareProcess } from "../one-process.ts";
import { databaseUrl } from "../../database/database-url.ts";
import { startS3Server } from "../../s3/server.ts";
import type { S3Settings } from "#server/platform/storage/s3/s3-client";

/** What all processes of a run share, for the environment of its workers. */
export interface SharedParts {
  postgres: { host: string; port: number };
  /** Undefined where the files are on the disk that both processes share. */
  s3: S3Settings | undefined;
  /** The data folder with the secrets of the database `made`. */
  dataDir: string;
}

/** The database that the product has started on once; every site of the run begins with a copy. */
const madeDatabase = "made";

/** Starts a PostgreSQL and an S3 server for the sites of a run, and makes the first database. */
export async function startSharedParts(files: "s3" | "disk"): Promise<{ parts: SharedParts; close(): Promise<void> }> {
  const folder = await openToAccounts(await mkdtemp(join(tmpdir(), "pipwright-shared-")));
  const settings = { fsync: "off", max_connections: "300" };
  const server = await startEmbeddedPostgres({ dataDir: folder, say: () => {}, settings });
  const s3 = files === "s3" ? await startS3Server() : undefined;
  const { host, port } = server.connection as { host: string; port: number };
  const postgres = { host, port };
  await asSuperuser(postgres, `create database ${madeDatabase} owner ${SITE_ROLE}`);
  const site = await prepareProcess({ DATABASE_URL: urlOf(postgres, madeDatabase) });
  await site.start();
  await site.end();
  return {
    parts: { postgres, s3: s3?.settings, dataDir: site.dataDir },
    async close() {
      await site.stop();
      await server.stop();
      await s3?.close();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Makes a copy of the first database; returns what DATABASE_URL is set to. */
export async function copyDatabase({ postgres }: SharedParts, name: string): Promise<string> {
  await asSuperuser(postgres, `create database ${name} template ${madeDatabase} owner ${SITE_ROLE}`);
  return urlOf(postgres, name);
}

export function dropDatabase({ postgres }: SharedParts, name: string): Promise<void> {
  return asSuperuser(postgres, `drop database if exists ${name} with (force)`);
}

const urlOf = (postgres: SharedParts["postgres"], database: string): string =>
  databaseUrl({ ...postgres, user: SITE_ROLE, database });

async function asSuperuser(postgres: SharedParts["postgres"], statement: string): Promise<void> {
  const client = new pg.Client({ ...postgres, user: SUPERUSER, database: "postgres" });
  await client.connect();
  try {
    await client.query(statement);
  } finally {
    await client.end();
  }
}
