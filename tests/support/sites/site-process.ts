import { prepareProcess, type Site } from "./one-process.ts";
import type { SharedParts } from "./two-processes/shared-parts.ts";

export { adminEmail, adminPassword, mailboxPath, type Site } from "./one-process.ts";

/** Starts the product and waits until it is ready; `DATA_DIR` in the environment stands for a folder of the caller's. */
export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const site = await prepareSite(environment);
  try {
    await site.start();
    return site;
  } catch (error) {
    await site.stop();
    throw error;
  }
}

/**
 * A site that is not started yet, of one process; in a run on two processes, of two behind nginx (`JOURNEYS_ON`), unless the caller brings the data or
 * wants an empty folder.
 */
export async function prepareSite(environment: Record<string, string> = {}, folder: "made" | "empty" = "made"): Promise<Site> {
  const hasOwnData = environment["DATA_DIR"] !== undefined || environment["DATABASE_URL"] !== undefined;
  const shared = process.env["TWO_PROCESSES"];
  if (shared === undefined || folder === "empty" || hasOwnData) return prepareProcess(environment, folder);
  const { preparePair } = await import("./two-processes/pair.ts");
  return preparePair(JSON.parse(shared) as SharedParts, environment);
}
