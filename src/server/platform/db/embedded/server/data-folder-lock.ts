import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { dataFolderLock } from "../../locks.ts";
import { isAlive } from "../os/processes.ts";

/** The application name of the owner's connection, from which other processes read who holds the folder. */
export const OWNER_NAME = `pipwright owner ${process.pid}`;

const RETRY_PAUSE_MS = 50;
const RETRIES = 60;

const HOLDER = `
  select a.application_name as name from pg_locks l join pg_stat_activity a using (pid)
  where l.locktype = 'advisory' and l.granted and l.classid = $1 and l.objid = $2 and l.objsubid = 2
    and l.database = (select oid from pg_database where datname = current_database())`;

/** Takes the data folder's lock. Returns undefined on success, otherwise the holder, such as "process 123". */
export async function acquireDataFolderLock(client: pg.Client): Promise<string | undefined> {
  let holder = "another process";
  for (let attempt = 0; attempt < RETRIES; attempt++) {
    if (await tryLock(client)) return undefined;
    const pid = await holderPid(client);
    if (pid) holder = `process ${pid}`;
    // Retries only for a dead owner, whose lock is released when the server notices.
    if (pid && isAlive(pid)) return holder;
    await pause(RETRY_PAUSE_MS);
  }
  return holder;
}

async function tryLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mine: boolean }>("select pg_try_advisory_lock($1, $2) as mine", dataFolderLock);
  return rows[0]?.mine === true;
}

async function holderPid(client: pg.Client): Promise<number | undefined> {
  const { rows } = await client.query<{ name: string }>(HOLDER, dataFolderLock);
  const pid = Number(/^pipwright owner (\d+)$/.exec(rows[0]?.name ?? "")?.[1]);
  return pid > 0 ? pid : undefined;
}
