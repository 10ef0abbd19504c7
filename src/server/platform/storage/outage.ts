import { ProductError } from "#domain/errors/messages";
import { isDiskFull } from "../disk-full.ts";
import type { ObjectStore } from "./object-store.ts";

/** Returns what is wrong with the store itself, not with the local disk beside it; undefined where it can be used. */
export async function storageProblem({ readiness }: ObjectStore): Promise<string | undefined> {
  return readiness.find(({ name }) => name === "storage")?.check();
}

/** Returns whether a disk itself failed, as at a sector that it cannot read. */
export function isDiskError(error: unknown): boolean {
  return (error as NodeJS.ErrnoException).code === "EIO";
}

/** Returns whether a file, or its folder, is closed to this account. */
export function isForbidden(error: unknown): boolean {
  return ["EACCES", "EPERM"].includes((error as NodeJS.ErrnoException).code ?? "");
}

/** Returns whether an error while a stored file was read is of the store or the disk, and none of the file. */
export async function isOutage(error: unknown, objects: ObjectStore): Promise<boolean> {
  if (isDiskFull(error) || (error instanceof ProductError && error.status === 503)) return true;
  // A process that reads the file does not say that the whole folder is gone.
  return (await storageProblem(objects)) !== undefined;
}
