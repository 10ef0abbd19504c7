import { ProductError } from "#domain/errors/messages";
import { sniffLength } from "#domain/upload-rules";
import type { Bucket } from "../bucket.ts";

/** Checks a file's first bytes while they arrive, as soon as there are enough of them. */
export class TypeCheck {
  readonly #bucket: Bucket;
  readonly #wanted: number;
  #head: Buffer;

  /** `size` is the whole file's where it is known; `head` is what came earlier. */
  constructor(bucket: Bucket, size = sniffLength, head: Buffer = Buffer.alloc(0)) {
    this.#bucket = bucket;
    this.#wanted = Math.min(size, sniffLength);
    this.#head = head;
  }

  /** Checks the next bytes; throws the bucket's `wrongType`. */
  look(piece: Buffer): void {
    if (this.#head.length >= this.#wanted) return;
    this.#head = Buffer.concat([this.#head, piece.subarray(0, this.#wanted - this.#head.length)]);
    if (this.#head.length >= this.#wanted) typeOf(this.#bucket, this.#head);
  }
}

/** Returns the content type found in a file's first bytes; throws the bucket's `wrongType` (FILE-3). */
export function typeOf(bucket: Bucket, head: Buffer): string {
  const type = bucket.contentType(head);
  if (type === undefined) throw new ProductError(bucket.wrongType);
  return type;
}
