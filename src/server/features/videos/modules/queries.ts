import { and, asc, eq, inArray, ne, notInArray, sql } from "drizzle-orm";
import type { Transaction } from "../../../platform/db/database.ts";
import { moduleOrder, videos } from "../../../platform/db/schema.ts";

/**
 * Locks the course until the transaction ends: what adds, moves, renames or removes lessons and modules takes turns. Taken before
 * the lock of any video. Readers, and changes of one lesson's materials, do not wait.
 */
export async function lockCourse(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${moduleOrder} in share row exclusive mode`);
}

/** Returns the names of all modules that have videos, in the order of the dashboard (PATH-1). */
export async function findAllModules(tx: Transaction): Promise<string[]> {
  const rows = await tx
    .select({ module: videos.module })
    .from(videos)
    .leftJoin(moduleOrder, eq(moduleOrder.module, videos.module))
    .groupBy(videos.module, moduleOrder.position)
    .orderBy(sql`${moduleOrder.position} nulls last`, asc(videos.module));
  return rows.map(({ module }) => module);
}

/** Returns the modules in the seller's order; none before an order is set. */
export async function findModuleOrder(tx: Transaction): Promise<string[]> {
  const rows = await tx.select({ module: moduleOrder.module }).from(moduleOrder).orderBy(asc(moduleOrder.position));
  return rows.map(({ module }) => module);
}

/** Replaces the order of modules. */
export async function replaceModuleOrder(tx: Transaction, modules: string[]): Promise<void> {
  await tx.delete(moduleOrder);
  if (modules.length === 0) return;
  await tx.insert(moduleOrder).values(modules.map((module, index) => ({ module, position: index + 1 })));
}

/** Deletes the places of modules that have no videos. */
export async function deleteEmptyModules(tx: Transaction): Promise<void> {
  await tx.delete(moduleOrder).where(notInArray(moduleOrder.module, tx.selectDistinct({ module: videos.module }).from(videos)));
}

/** Renames the module of its videos, which keep their numbers. */
export async function renameVideosModule(tx: Transaction, from: string, to: string): Promise<void> {
  await tx.update(videos).set({ module: to }).where(eq(videos.module, from));
}

/** Renames a module in the order of modules; a place that was left to an emptied module of the new name is given up. */
export async function renameModuleOrder(tx: Transaction, from: string, to: string): Promise<void> {
  await deleteModuleOrder(tx, to);
  await tx.update(moduleOrder).set({ module: to }).where(eq(moduleOrder.module, from));
}

export async function deleteModuleOrder(tx: Transaction, module: string): Promise<void> {
  await tx.delete(moduleOrder).where(eq(moduleOrder.module, module));
}

/** Returns the ids of a module's videos in their order. */
export async function findAllVideoIds(tx: Transaction, module: string): Promise<string[]> {
  const rows = await tx
    .select({ id: videos.id })
    .from(videos)
    .where(eq(videos.module, module))
    .orderBy(asc(videos.order_index), asc(videos.id));
  return rows.map(({ id }) => id);
}

/** Returns those of some videos that are outside a module, in the order of the dashboard (PATH-1). */
export async function findAllVideoIdsOutside(tx: Transaction, module: string, ids: string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: videos.id })
    .from(videos)
    .leftJoin(moduleOrder, eq(moduleOrder.module, videos.module))
    .where(and(inArray(videos.id, ids), ne(videos.module, module)))
    .orderBy(sql`${moduleOrder.position} nulls last`, asc(videos.module), asc(videos.order_index), asc(videos.id));
  return rows.map(({ id }) => id);
}

/** Makes videos those of a module and numbers them from 1 in the given order; what is in its place already is left alone. */
export async function placeVideos(tx: Transaction, module: string, ids: string[]): Promise<void> {
  const numbered = sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as numbered (id, number)`;
  await tx.execute(sql`update ${videos} set module = ${module}, order_index = numbered.number from ${numbered}
    where ${videos.id} = numbered.id and (${videos.module}, ${videos.order_index}) <> (${module}, numbered.number)`);
}
