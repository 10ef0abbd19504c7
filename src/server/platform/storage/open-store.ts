import { join } from "node:path";
import type { Config } from "../../config.ts";
import { secondsAfter, type Clock } from "../clock.ts";
import { DiskSpace, readDisk } from "./disk/disk-space.ts";
import { openDiskStore } from "./disk/disk-store.ts";
import type { ObjectStore } from "./object-store.ts";
import { removeLeftovers } from "./s3/fetched-files.ts";

/**
 * Opens the store that the settings name: a bucket of `S3_ENDPOINT` (FILE-18), or the folder `objects` of the data folder. `areRemovalsHeld`
 * returns whether a backup is being written. Tests pass another `read` to simulate a full disk.
 */
export async function openObjectStore(
  config: Pick<Config, "files" | "s3">,
  clock: Clock,
  areRemovalsHeld = (): Promise<boolean> => Promise.resolve(false),
  read = readDisk,
): Promise<ObjectStore> {
  if (config.s3 === undefined) return openDiskStore(config.files.dataDir, clock, read, areRemovalsHeld);
  // Only here, since the SDK takes time and memory.
  const { openS3Store } = await import("./s3/s3-store.ts");
  const settings = {
    endpoint: config.s3.endpoint,
    region: config.s3.region,
    bucket: config.s3.bucket,
    accessKeyId: config.s3.accessKeyId,
    secretAccessKey: config.s3.secretAccessKey,
    pathStyle: config.s3.pathStyle,
  };
  const folder = join(config.files.dataDir, "from-s3");
  await removeLeftovers(folder, secondsAfter(clock.now(), -24 * 3600));
  // The folder is only there once a file is fetched.
  return openS3Store(settings, folder, areRemovalsHeld, new DiskSpace(config.files.dataDir, clock, read));
}
