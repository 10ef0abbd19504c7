import { open, readFile, unlink } from "node:fs/promises";
import { Upload } from "@tus/server";
import type { Configstore } from "@tus/file-store";
import * as z from "zod";
import { ignoreAbsent, type ObjectFolder } from "./object-folder.ts";

const State = z.object({
  owner_id: z.uuid(),
  size: z.number(),
  metadata: z.record(z.string(), z.string().nullable()),
  creation_date: z.string(),
});

/** What is known of a resumable upload before its last byte. */
export type UnfinishedUpload = z.infer<typeof State>;

/** The states of resumable uploads, a small file each, durable before the upload's address is given out. */
export class UnfinishedUploads implements Configstore {
  readonly #folder: ObjectFolder;
  readonly #ownerOf: (id: string) => string;

  /** `ownerOf` names who starts an upload. */
  constructor(folder: ObjectFolder, ownerOf: (id: string) => string) {
    this.#folder = folder;
    this.#ownerOf = ownerOf;
  }

  /** Undefined when there is none; one that a crash left half-written was never acknowledged and counts as none. */
  async read(id: string): Promise<UnfinishedUpload | undefined> {
    const text = await readFile(this.#folder.stateOf(id), "utf8").catch(ignoreAbsent);
    return text === undefined ? undefined : parse(text);
  }

  async get(id: string): Promise<Upload | undefined> {
    const state = await this.read(id);
    if (state === undefined) return undefined;
    const { size, metadata, creation_date } = state;
    return new Upload({ id, size, offset: 0, metadata, creation_date });
  }

  async set(id: string, upload: Upload): Promise<void> {
    const { size, metadata = {}, creation_date } = upload;
    const file = await open(this.#folder.stateOf(id), "wx", 0o600);
    try {
      await file.writeFile(JSON.stringify({ owner_id: this.#ownerOf(id), size, metadata, creation_date }));
      await file.sync();
    } finally {
      await file.close();
    }
    await this.#folder.sync();
  }

  async delete(id: string): Promise<void> {
    await unlink(this.#folder.stateOf(id)).catch(ignoreAbsent);
  }
}

function parse(text: string): UnfinishedUpload | undefined {
  try {
    return State.parse(JSON.parse(text));
  } catch {
    return undefined;
  }
}
