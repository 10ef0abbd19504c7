// `npm run backup -- FILE`: database, files and secrets in one file, or one object of a bucket, also while the site runs (BACKUP-1).
import { withConnection } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { backupFile } from "../platform/backup/choose-file.ts";
import type { WrittenBackup } from "../platform/backup/schedule/process.ts";
import { systemClock } from "../platform/clock.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { readSecrets } from "../platform/secrets.ts";
import { openObjectStore } from "../platform/storage/open-store.ts";
import { refuseFileAsFolder, StartError } from "../start-faults.ts";

async function run(name: string | undefined): Promise<void> {
  if (name === undefined) throw new StartError(`Name the file to write: ${operatorCommand("backup", "/backups/monday.tar")}`);
  // Only the schedule has a channel to this process. `.env` may name another database or store than the site has read.
  const config = readConfig(processEnvironment({ isOfRunningSite: process.send !== undefined }));
  const { dataDir } = config.files;
  await refuseFileAsFolder(dataDir);
  const secrets = await readSecrets(dataDir);
  const file = await backupFile(name, config.s3Account);
  const { tables, files, fileBytes, lost } = await withConnection(config, async ({ connection, stopped }) => {
    const objects = await openObjectStore(config, systemClock);
    return file.write({ connection, objects, secrets, now: systemClock.now(), stopped });
  });
  const written: WrittenBackup = { lostFiles: lost.length };
  // The process that started this one may be gone.
  process.send?.(written, undefined, undefined, () => {});
  for (const id of lost) say(`A stored file is missing or damaged, and not whole in the backup: ${id}`);
  say(`${name}: ${tables} tables, ${files} files of ${Math.ceil(fileBytes / 1e6)} MB in all.`);
  say("It holds the site's secrets and its students' data: keep it on another machine, closed to others.");
  if (lost.length > 0) throw new StartError(`The backup lacks stored files: ${lost.length}, named above.`);
}

runCommand(run);
