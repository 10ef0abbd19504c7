// `npm run restore -- FILE`: a backup into an empty DATA_DIR, and an empty DATABASE_URL where that is set (BACKUP-2).
import { join } from "node:path";
import { withConnection } from "./command-database.ts";
import { runCommand, say } from "./run-command.ts";
import { processEnvironment, readConfig } from "../config.ts";
import { backupFile } from "../platform/backup/choose-file.ts";
import { restoreBackup } from "../platform/backup/restore.ts";
import { systemClock } from "../platform/clock.ts";
import { operatorCommand } from "../platform/operator-command.ts";
import { hasSecrets, storeSecrets } from "../platform/secrets.ts";
import { openObjectStore } from "../platform/storage/open-store.ts";
import { refuseFileAsFolder, StartError } from "../start-faults.ts";

async function run(name: string | undefined): Promise<void> {
  if (name === undefined) throw new StartError(`Name the backup: ${operatorCommand("restore", "/backups/monday.tar")}`);
  const config = readConfig(processEnvironment());
  const { dataDir } = config.files;
  await refuseFileAsFolder(dataDir);
  if (await hasSecrets(dataDir)) throw new StartError(`A site's data is in ${dataDir}. Set DATA_DIR to an empty folder.`);
  const source = await (await backupFile(name, config.s3Account)).open();
  const { createdAt, tables, files } = await withConnection(config, async ({ connection, seal, stopped }) => {
    const objects = await openObjectStore(config, systemClock);
    const migrationsDir = join(config.projectDir, "migrations");
    const restored = await restoreBackup(
      { connection, migrationsDir, objects, storeSecrets: (secrets) => storeSecrets(dataDir, secrets), stopped },
      source,
    );
    await seal();
    return restored;
  });
  say(`Restored the backup of ${createdAt}: ${tables} tables, ${files} files. Start the site.`);
}

runCommand(run);
