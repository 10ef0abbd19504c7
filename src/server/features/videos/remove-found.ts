import type { Transaction } from "../../platform/db/database.ts";
import { removeVideo } from "./manage.ts";
import { lockCourse } from "./modules/queries.ts";
import { lockById } from "./queries.ts";

interface RemovedVideos {
  count: number;
  /** Ids of the files' objects; call `removeBytes` for them after the commit. */
  objectIds: (string | null)[];
}

/** Deletes the videos that `find` returns, while nobody else changes the course. */
export async function removeFoundVideos(tx: Transaction, find: (tx: Transaction) => Promise<string[]>): Promise<RemovedVideos> {
  await lockCourse(tx);
  const ids = (await find(tx)).toSorted();
  const objectIds: (string | null)[] = [];
  for (const id of ids) objectIds.push(...(await removeVideo(tx, (await lockById(tx, id))!)));
  return { count: ids.length, objectIds };
}
