import { isDeepStrictEqual } from "node:util";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit, type Actor } from "../../../platform/audit.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import * as queries from "./queries.ts";

/**
 * Sets the dashboard's order of modules and returns it (PATH-1). `displayed` is the order that the new one was made from. Throws
 * `order_repeats`, and `order_outdated` unless the order has exactly the modules that have videos, which are in the displayed order still.
 */
export async function orderModules(
  deps: Dependencies,
  actor: Actor,
  { modules, before: displayed }: { modules: string[]; before?: string[] | undefined },
): Promise<string[]> {
  await transaction(deps.db, async (tx) => {
    await queries.lockCourse(tx);
    const present = await queries.findAllModules(tx);
    requireSame(modules, present);
    requireUnmoved(displayed, present);
    const before = await queries.findModuleOrder(tx);
    await queries.replaceModuleOrder(tx, modules);
    const subject = { type: "course", id: "modules" };
    await recordAudit(tx, actor, {
      at: deps.clock.now(),
      action: "modules.order",
      subject,
      details: { before, after: modules },
    });
  });
  return modules;
}

/**
 * Numbers the videos of a module from 1 and returns their ids in that order (PATH-1). Those that `taken` names leave their modules for this
 * one, whose others keep their numbers (VIDEOS-1). `displayed` is the order that the new one was made from. Throws `order_repeats`, and
 * `order_outdated` unless the order has exactly the videos of the module, which are in the displayed order still, and those taken from others.
 */
export async function orderVideos(
  deps: Dependencies,
  actor: Actor,
  module: string,
  { ids, taken = [], before: displayed }: { ids: string[]; taken?: string[] | undefined; before?: string[] | undefined },
): Promise<string[]> {
  await transaction(deps.db, async (tx) => {
    await queries.lockCourse(tx);
    const before = await queries.findAllVideoIds(tx, module);
    const outside = await queries.findAllVideoIdsOutside(tx, module, taken);
    requireSame(taken, outside);
    requireSame(ids, [...before, ...outside]);
    requireUnmoved(displayed, before);
    await queries.placeVideos(tx, module, ids);
    const subject = { type: "module", id: module };
    await recordAudit(tx, actor, { at: deps.clock.now(), action: "videos.order", subject, details: { before, after: ids } });
  });
  return ids;
}

function requireSame(given: string[], present: string[]): void {
  const names = new Set(given);
  if (names.size < given.length) throw new ProductError("order_repeats");
  if (names.size !== present.length || !present.every((name) => names.has(name))) throw new ProductError("order_outdated");
}

/** Another page may have moved them meanwhile. */
function requireUnmoved(displayed: string[] | undefined, present: string[]): void {
  if (displayed && !isDeepStrictEqual(displayed, present)) throw new ProductError("order_outdated");
}
