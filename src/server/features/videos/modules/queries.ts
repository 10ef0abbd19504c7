import { and, asc, eq, notInArray, sql } from "drizzle-orm";
import type { Transaction } from "../../../platform/db/database.ts";
import { moduleOrder, videos } from "../../../platform/db/schema.ts";

/** Locks the order of modules until the transaction ends, so that two changes of it take turns. */
export async function lockModuleOrder(tx: Transaction): Promise<void> {
  await tx.execute(sql`lock table ${moduleOrder} in share row exclusive mode`);
}

/** Returns the names of all modules that have videos, in no order. */
export async function findAllModules(tx: Transaction): Promise<string[]> {
  const rows = await tx.selectDistinct({ module: videos.module }).from(videos);
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

/** Returns the ids of a module's videos in their order, locked until the transaction ends. */
export async function lockVideosOf(tx: Transaction, module: string): Promise<string[]> {
  const rows = await tx
    .select({ id: videos.id, order_index: videos.order_index })
    .from(videos)
    .where(eq(videos.module, module))
    // The order of locks; the videos' own follows.
    .orderBy(asc(videos.id))
    .for("update");
  return rows.toSorted((one, other) => one.order_index - other.order_index).map(({ id }) => id);
}

/** Numbers videos from 1 in the given order; those that have their number already are left alone. */
export async function updateOrderIndexes(tx: Transaction, ids: string[]): Promise<void> {
  const numbered = sql`unnest(${sql.param(ids)}::uuid[]) with ordinality as numbered (id, number)`;
  await tx.execute(sql`update ${videos} set order_index = numbered.number from ${numbered}
    where ${and(sql`${videos.id} = numbered.id`, sql`${videos.order_index} <> numbered.number`)}`);
}
