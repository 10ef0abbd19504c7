import { existsSync } from "node:fs";
import { rm } from "node:fs/promises";
import { join } from "node:path";
import { prepareSite } from "../sites/site-process.ts";

/**
 * Starts the product once on an empty folder, which every site of the run begins with a copy of: making a database is half of a first start. With
 * `JOURNEYS_ON` every site is two processes behind nginx (`npm run journeys:two`).
 */
export default async function setup(): Promise<() => Promise<void>> {
  const files = process.env["JOURNEYS_ON"];
  if (files === "s3" || files === "disk") {
    const { startSharedParts } = await import("../sites/two-processes/shared-parts.ts");
    const { parts, close } = await startSharedParts(files);
    process.env["TWO_PROCESSES"] = JSON.stringify(parts);
    return close;
  }
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
