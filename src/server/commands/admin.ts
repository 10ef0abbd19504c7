import { withDatabase } from "./command-database.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { NoAdminError, resetAdminPassword, resetSecondFactor } from "../features/auth/service.ts";
import { systemClock } from "../platform/clock.ts";
import { explainStartFault, refuseFileAsFolder, StartError } from "../start-faults.ts";

/** `npm run admin:reset-password` and `npm run admin:reset-2fa`: for an owner who is locked out, also while the site runs (ACCESS-7). */
const say = (line: string): void => console.log(line);

async function run(command = ""): Promise<void> {
  const config = readConfig(processEnvironment());
  await refuseFileAsFolder(config.files.dataDir);
  if (command === "reset-password") {
    const password = await withDatabase(config, say, (db) => resetAdminPassword({ db, clock: systemClock, config }));
    say(`Admin: ${config.admin.email}  password: ${password}  (shown only this once)`);
  } else if (command === "reset-2fa") {
    await withDatabase(config, say, (db) => resetSecondFactor({ db, clock: systemClock, config }));
    say(`The second factor of ${config.admin.email} is removed. Set up a new one after signing in.`);
  } else throw new StartError("Use npm run admin:reset-password or npm run admin:reset-2fa.");
  say("All sessions of the admin have ended.");
}

run(process.argv[2]).catch((error: unknown) => {
  for (const line of error instanceof NoAdminError ? [error.message] : explainStartFault(error)) console.error(line);
  process.exitCode = 1;
});
