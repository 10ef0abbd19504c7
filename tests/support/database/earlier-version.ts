import { join } from "node:path";
import { migrate, migrationsIn } from "#server/platform/db/migrate";
import type { ScratchDatabase } from "./scratch-database.ts";

const migrationsDir = join(import.meta.dirname, "../../../migrations");

/** Brings a database to the version before a migration. */
export const migrateBefore = (database: ScratchDatabase, migration: string) =>
  migrateWhere(database, (name) => name < migration);

/** Brings a database to the version of a migration; returns the names of those applied now. */
export const migrateThrough = (database: ScratchDatabase, migration: string) =>
  migrateWhere(database, (name) => name <= migration);

async function migrateWhere({ connection }: ScratchDatabase, isWanted: (name: string) => boolean): Promise<string[]> {
  const names = (await migrationsIn(migrationsDir)).map(({ name }) => name);
  return migrate(connection, migrationsDir, new Set(names.filter((name) => isWanted(name))));
}
