// `npm run secrets:renew`: for an owner whose `secrets.json` is lost or stolen (RUN-7). Only while the site is stopped.
import { join } from "node:path";
import { createInterface } from "node:readline/promises";
import { isNull } from "drizzle-orm";
import { withDatabase } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { recordAudit, type Actor } from "../platform/audit.ts";
import { systemClock } from "../platform/clock.ts";
import type { Database } from "../platform/db/database.ts";
import { lockKeys, tryLock } from "../platform/db/locks.ts";
import { emailChanges, mfaFactors, passwordRecoveries, secretsFingerprint, sessions } from "../platform/db/schema.ts";
import { allowIdle, transaction } from "../platform/db/transaction.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { replaceSecrets } from "../platform/secrets.ts";
import { refuseFileAsFolder, StartError } from "../start-faults.ts";

const losses = [
  "All sessions end, so everybody signs in again. Passwords stay.",
  "Second factors are removed, since their secrets cannot be read any more.",
  "Mails that were not sent yet, and codes and links that were mailed, can no longer be used, except links that undo a change of settings.",
  "Calendars of live sessions no longer update, so students subscribe to them anew.",
];

async function run(): Promise<void> {
  const config = readConfig(processEnvironment());
  const { dataDir } = config.files;
  await refuseFileAsFolder(dataDir);
  say(`Makes ${join(dataDir, "secrets.json")} anew:`);
  for (const loss of losses) say(`- ${loss}`);
  if (!(await isConfirmed())) throw new StartError("Nothing was changed.");
  await withDatabase(config, (db) => renewSecrets(db, dataDir), { besideSite: false });
  say("Done. Back the new file up together with the database.");
}

async function isConfirmed(): Promise<boolean> {
  if (process.argv.includes("--yes")) return true;
  if (!process.stdin.isTTY)
    throw new StartError(`Nothing was changed. To confirm: ${operatorCommand("secrets:renew", "--yes")}`);
  const terminal = createInterface({ input: process.stdin, output: process.stdout });
  const reply = await terminal.question("Type yes to continue: ");
  terminal.close();
  return reply.trim().toLowerCase() === "yes";
}

const actor: Actor = { id: null, email: "npm run secrets:renew", ip: "" };

/** Replaces the file last, before its fingerprint and the commit: a run that is cut off is repeated. Throws `StartError` while a site runs. */
function renewSecrets(db: Database, dataDir: string): Promise<void> {
  return transaction(db, async (tx) => {
    if (!(await tryLock(tx, lockKeys.runningSite))) throw new StartError("A site is running on this database. Stop it first.");
    const now = systemClock.now();
    await tx.update(sessions).set({ revoked_at: now }).where(isNull(sessions.revoked_at));
    await tx.delete(mfaFactors);
    // Recovery links are stored without a key, so new secrets alone would not end them. Links that undo a change need none either and are kept:
    // after a theft they bring back what the owner had set, and end the admin's sessions (GUARD-2).
    await tx.delete(passwordRecoveries);
    await tx.delete(emailChanges);
    await recordAudit(tx, actor, { at: now, action: "secrets.renew", subject: { type: "secrets", id: "secrets.json" } });
    // The file must not be replaced without what ends with it, however slow the disk is.
    await allowIdle(tx, 0);
    const fingerprint = await replaceSecrets(dataDir);
    // Without it, the database would become that of the first secrets that a start brings, which may be the stolen ones.
    await tx.delete(secretsFingerprint);
    await tx.insert(secretsFingerprint).values({ fingerprint });
  });
}

runCommand(run);
