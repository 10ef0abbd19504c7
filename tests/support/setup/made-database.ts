import { existsSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { TestProject } from "vitest/node";
import { startEmbeddedPostgres } from "#server/platform/db/embedded/supervisor";
import { memoryBase } from "../../../scripts/memory-base.mjs";
import { openToAccounts } from "../sites/open-to-accounts.ts";

declare module "vitest" {
  export interface ProvidedContext {
    /** A data folder with a stopped database. */
    madeDatabase: string | undefined;
  }
}

/** Makes a database once, which tests that are not about a first start begin with a copy of: initdb is half of a start on an empty folder. */
export default async function setup(project: TestProject): Promise<() => Promise<void>> {
  // A TMPDIR ends with the run, also with one that is stopped.
  const base = (process.env["TMPDIR"] ? undefined : memoryBase(1024 ** 3)) ?? tmpdir();
  const dataDir = await openToAccounts(await mkdtemp(join(base, "pipwright-made-")));
  const database = await startEmbeddedPostgres({ dataDir, say: () => {}, settings: { fsync: "off" } });
  await database.stop();
  // The database is elsewhere when its account cannot enter the folder; each test makes its own then.
  project.provide("madeDatabase", existsSync(join(dataDir, "postgres/cluster")) ? dataDir : undefined);
  return () => rm(dataDir, { recursive: true, force: true });
}
