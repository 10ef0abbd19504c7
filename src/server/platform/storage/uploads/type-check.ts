import { basename } from "node:path";
import { ProductError } from "#domain/errors/messages";
import { sniffLength } from "#domain/files/file-types";
import type { UploadBucket } from "../bucket.ts";

/** Checks a file's first bytes while they arrive, as soon as there are enough of them. */
export class TypeCheck {
  readonly #bucket: UploadBucket;
  readonly #filename: string;
  readonly #wanted: number;
  #head: Buffer;

  /** `size` is the whole file's where it is known; `head` is what came earlier. */
  constructor(bucket: UploadBucket, filename: string, size = sniffLength, head: Buffer = Buffer.alloc(0)) {
    this.#bucket = bucket;
    this.#filename = filename;
    this.#wanted = Math.min(size, sniffLength);
    this.#head = head;
  }

  /** Checks the next bytes; throws the bucket's `wrongType`. */
  look(piece: Buffer): void {
    if (this.#head.length >= this.#wanted) return;
    this.#head = Buffer.concat([this.#head, piece.subarray(0, this.#wanted - this.#head.length)]);
    if (this.#head.length >= this.#wanted) typeOf(this.#bucket, this.#head, this.#filename);
  }
}

/** Returns the content type found in a file's first bytes; throws the bucket's `wrongType` (FILE-3). `filename` is as the client sent it. */
export function typeOf(bucket: UploadBucket, head: Buffer, filename: string): string {
  const type = bucket.contentType(head, safeFilename(filename));
  if (type === undefined) throw new ProductError(bucket.wrongType);
  return type;
}

/** A client's file name without folders, control and invisible characters, at most 200 characters, the extension kept. */
export function safeFilename(filename: string): string {
  const name = basename(filename.replaceAll("\\", "/")).replace(/[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}]/gu, "");
  const characters = [...name.trim()];
  return characters.length > 0 ? characters.slice(-200).join("") : "file";
}
