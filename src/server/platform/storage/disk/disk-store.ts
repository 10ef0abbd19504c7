import { join } from "node:path";
import type { Clock } from "../../clock.ts";
import type { ReadinessCheck } from "../../http/readiness.ts";
import type { ObjectStore, PartWriter, StoredBytes } from "../object-store.ts";
import { DiskSpace, readDisk } from "./disk-space.ts";
import { openFileBytes } from "./file-bytes.ts";
import { isMountPoint } from "./mount.ts";
import { ObjectFolder } from "./object-folder.ts";
import { PartFileWriter } from "./part-file-writer.ts";

/**
 * Opens the store in the folder `objects` of the data folder, which is made where it is missing. Throws when it cannot be written
 * to. `areRemovalsHeld` returns whether a backup is being written. Tests pass another `read` to simulate a full disk, and another `isMounted`
 * for one that is away.
 */
export async function openDiskStore(
  dataDir: string,
  clock: Clock,
  read = readDisk,
  areRemovalsHeld = (): Promise<boolean> => Promise.resolve(false),
  isMounted = isMountPoint,
): Promise<ObjectStore> {
  const folder = new ObjectFolder(objectsIn(dataDir), isMounted);
  await folder.prepare();
  const space = new DiskSpace(folder.path, clock, read);
  return new DiskStore(folder, space, new DiskSpace(dataDir, clock, read), areRemovalsHeld);
}

/** The folder of the store in a data folder. It may be on another disk. */
export function objectsIn(dataDir: string): string {
  return join(dataDir, "objects");
}

/** Parts and objects as files of one folder. */
class DiskStore implements ObjectStore {
  readonly isOnDisk = true;
  readonly readiness: ReadinessCheck[];
  readonly #folder: ObjectFolder;
  readonly #space: DiskSpace;
  readonly #areRemovalsHeld: () => Promise<boolean>;

  /** `space` is of the folder's disk, `dataSpace` of the database's. */
  constructor(folder: ObjectFolder, space: DiskSpace, dataSpace: DiskSpace, areRemovalsHeld: () => Promise<boolean>) {
    this.#folder = folder;
    this.#space = space;
    this.#areRemovalsHeld = areRemovalsHeld;
    const checkDisks = async (): Promise<string | undefined> => {
      // A folder that is away is reported as the storage.
      const fault = await space.readiness.check().catch(() => undefined);
      return fault ?? dataSpace.readiness.check();
    };
    this.readiness = [
      { name: "storage", check: () => folder.fault() },
      { name: "disk", check: checkDisks },
    ];
  }

  async begin(id: string): Promise<void> {
    await this.#folder.create(id);
    await this.#folder.sync();
  }

  size(id: string): Promise<number | undefined> {
    return this.#folder.size(id);
  }

  async append(id: string, offset: number): Promise<PartWriter | undefined> {
    const part = await this.#folder.openPart(id);
    return part && new PartFileWriter(this.#folder, part, this.#space, offset);
  }

  async complete(id: string): Promise<StoredBytes | undefined> {
    const file = await this.#folder.seal(id, (bytes) => this.#space.check(bytes));
    if (file === undefined) return undefined;
    try {
      await this.#folder.sync();
    } catch (error) {
      await file.close();
      throw error;
    }
    return openFileBytes(file);
  }

  async put(id: string, bytes: Buffer): Promise<void> {
    await this.#folder.store(id, bytes);
    await this.#folder.sync();
  }

  async open(id: string): Promise<StoredBytes | undefined> {
    const file = await this.#folder.open(id);
    return file && openFileBytes(file);
  }

  withFile<Result>(id: string, action: (path: string) => Promise<Result>): Promise<Result> {
    return action(this.#folder.fileOf(id));
  }

  removePart(id: string): Promise<void> {
    return this.#folder.removePart(id);
  }

  async remove(id: string): Promise<void> {
    await this.removePart(id);
    if (!(await this.#areRemovalsHeld())) await this.#folder.remove(id);
  }

  lastChange(id: string): Promise<Date | undefined> {
    return this.#folder.lastChange(id);
  }

  ids(): AsyncIterable<string[]> {
    return this.#folder.ids();
  }

  checkSpace(bytes: number): Promise<void> {
    return this.#space.check(bytes);
  }

  checkFileSpace(): Promise<void> {
    return Promise.resolve();
  }

  fileCapacity(): Promise<number> {
    return Promise.resolve(Number.POSITIVE_INFINITY);
  }
}
