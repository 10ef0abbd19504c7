import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareSite } from "./site-process.ts";

/** Starts the product once on an empty folder, which every site of the run begins with a copy of: making a database is half of a first start. */
export default async function setup(): Promise<() => Promise<void>> {
  const site = await prepareSite();
  try {
    await site.start();
  } finally {
    await site.end();
  }
  // The database is elsewhere when its account cannot enter the folder; each site makes its own then.
  if (existsSync(join(site.dataDir, "postgres/cluster"))) process.env["MADE_SITE"] = site.dataDir;
  return () => rm(site.dataDir, { recursive: true, force: true });
}
