// `npm run admin:reset-password` and `npm run admin:reset-2fa`: for an owner who is locked out, also while the site runs (ACCESS-7).
import { withDatabase } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { NoAdminError, resetAdminPassword, resetSecondFactor } from "../features/auth/service.ts";
import { systemClock } from "../platform/clock.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { refuseFileAsFolder, StartError } from "../start-faults.ts";

async function run(command = ""): Promise<void> {
  const config = readConfig(processEnvironment());
  await refuseFileAsFolder(config.files.dataDir);
  if (command === "reset-password") {
    const password = await withDatabase(config, (db) => resetAdminPassword({ db, clock: systemClock, config }));
    say(`Admin: ${config.admin.email}  password: ${password}  (shown only this once)`);
  } else if (command === "reset-2fa") {
    await withDatabase(config, (db) => resetSecondFactor({ db, clock: systemClock, config }));
    say(`The second factor of ${config.admin.email} is removed. Set up a new one after signing in.`);
  } else throw new StartError(`Use ${operatorCommand("admin:reset-password")} or ${operatorCommand("admin:reset-2fa")}.`);
  say("All sessions of the admin have ended.");
}

runCommand((command) =>
  run(command).catch((error: unknown) => {
    throw error instanceof NoAdminError ? new StartError(error.message) : error;
  }),
);
