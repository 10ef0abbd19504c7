import type { ModuleName } from "#domain/api/course/modules";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import * as queries from "./queries.ts";

/**
 * Renames a module for all its lessons and in the order of modules, and returns the new name (VIDEOS-2). Where another module has
 * lessons under that name, `merge` appends those of this one to them. Throws `module_not_found` for a module without lessons, and
 * `module_exists` without `merge`.
 */
export async function renameModule(
  deps: Dependencies,
  actor: Actor,
  module: string,
  { name, merge = false }: ModuleName,
): Promise<string> {
  await transaction(deps.db, async (tx) => {
    await queries.lockCourse(tx);
    const ids = await queries.findAllVideoIds(tx, module);
    if (ids.length === 0) throw new ProductError("module_not_found");
    if (name === module) return;
    const others = await queries.findAllVideoIds(tx, name);
    if (others.length > 0) {
      if (!merge) throw new ProductError("module_exists");
      await queries.placeVideos(tx, name, [...others, ...ids]);
      await queries.deleteModuleOrder(tx, module);
    } else {
      await queries.renameVideosModule(tx, module, name);
      await queries.renameModuleOrder(tx, module, name);
    }
    const subject = { type: "module", id: name };
    const details = { before: module, after: name, ids, merged: others.length > 0 };
    await recordAudit(tx, actor, { at: deps.clock.now(), action: "module.rename", subject, details });
  });
  return name;
}
