import type { SharedChanges } from "#domain/api/course/videos";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor, type ChangeAction } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { removeBytes } from "./files.ts";
import { removeVideo } from "./manage.ts";
import { findAllVideoIds, findAllVideoIdsOutside, lockCourse, placeVideos } from "./modules/queries.ts";
import * as queries from "./queries.ts";
import type { VideoRow } from "./queries.ts";

/**
 * Changes the package or the module of several videos, all or none, and returns their ids (VIDEOS-3). Those that change their module follow its
 * other lessons, in the order of the dashboard. Throws `video_not_found` when one of them is gone.
 */
export async function updateSelected(
  deps: Dependencies,
  actor: Actor,
  ids: string[],
  changes: SharedChanges,
): Promise<string[]> {
  return transaction(deps.db, async (tx) => {
    const rows = await lockSelected(tx, ids);
    const { module, package_type } = changes;
    if (package_type !== undefined) await queries.updatePackage(tx, ids, package_type);
    if (module !== undefined) {
      const moved = await findAllVideoIdsOutside(tx, module, ids);
      if (moved.length > 0) await placeVideos(tx, module, [...(await findAllVideoIds(tx, module)), ...moved]);
    }
    await audit(deps, tx, actor, "videos.update", rows, changes);
    return rows.map(({ id }) => id);
  });
}

/** Deletes several videos with their files, all or none, and returns their ids (VIDEOS-3). Throws `video_not_found` when one of them is gone. */
export async function removeSelected(deps: Dependencies, actor: Actor, ids: string[]): Promise<string[]> {
  const [rows, objectIds] = await transaction(deps.db, async (tx) => {
    const selected = await lockSelected(tx, ids);
    const removed: (string | null)[] = [];
    for (const row of selected) removed.push(...(await removeVideo(tx, row)));
    await audit(deps, tx, actor, "videos.delete", selected);
    return [selected, removed] as const;
  });
  await removeBytes(deps, ...objectIds);
  return rows.map(({ id }) => id);
}

async function lockSelected(tx: Transaction, ids: string[]): Promise<VideoRow[]> {
  await lockCourse(tx);
  const rows = await queries.lockAllByIds(tx, ids);
  if (rows.length < new Set(ids).size) throw new ProductError("video_not_found");
  return rows;
}

/** One entry for all of them, with each lesson's module and package before and, unless it is deleted, after. */
function audit(
  { clock }: Dependencies,
  tx: Transaction,
  actor: Actor,
  action: ChangeAction,
  rows: VideoRow[],
  after?: SharedChanges,
) {
  const details = {
    count: rows.length,
    ids: rows.map(({ id }) => id),
    before: audited(rows),
    ...(after && { after: audited(rows.map((row) => ({ ...row, ...after }))) }),
  };
  return recordAudit(tx, actor, { at: clock.now(), action, subject: { type: "course", id: "videos" }, details });
}

/** By title; a repeated one with its id. */
function audited(rows: Pick<VideoRow, "id" | "title" | "module" | "package_type">[]): Record<string, string> {
  const places = new Map<string, string>();
  for (const { id, title, module, package_type } of rows) {
    places.set(places.has(title) ? `${title} (${id})` : title, `${module}, ${package_type}`);
  }
  return Object.fromEntries(places);
}
