import { join } from "node:path";
import { ProductError } from "#domain/messages";
import type { Clock } from "../../clock.ts";
import type { ReadinessCheck } from "../../http/readiness.ts";
import { DiskSpace, readDisk } from "./disk-space.ts";
import { ObjectFolder } from "./object-folder.ts";
import type { ObjectStore } from "../object-store.ts";
import { signLink, viewerOfLink } from "../downloads/signed-links.ts";

/**
 * The store on local disk: bytes in `objects` of the data folder, links signed with `linkKey`. Throws when it cannot write.
 * Tests pass another `read` to have a full disk.
 */
export async function openObjectStore(dataDir: string, linkKey: Buffer, clock: Clock, read = readDisk): Promise<ObjectStore> {
  const folder = new ObjectFolder(join(dataDir, "objects"));
  await folder.prepare();
  const space = new DiskSpace(dataDir, clock, read);
  return {
    folder,
    space,
    readiness: readinessOfDisk(folder, space),
    sign: (bucket, name, viewerId, seconds) => signLink(linkKey, { bucket, name, viewerId }, clock.now(), seconds),
    viewerOf(token, bucket, name) {
      if (token === undefined) throw new ProductError("link_invalid");
      return viewerOfLink(linkKey, token, bucket, name, clock.now());
    },
    // The row is gone for good by now, so a failure must not turn into an error of the call that removed it.
    removeBytes: (objectId) => folder.remove(objectId).catch(() => {}),
  };
}

function readinessOfDisk(folder: ObjectFolder, space: DiskSpace): ReadinessCheck[] {
  return [
    { name: "storage", check: () => folder.fault() },
    { name: "disk", check: async () => ((await space.isAtReserve()) ? "at_reserve" : undefined) },
  ];
}
