import type { FileHandle } from "node:fs/promises";
import { Readable } from "node:stream";

/** Bytes of one read; larger reads are fewer trips to the thread pool, and each running download holds two. */
const pieceSize = 256 * 1024;

/**
 * The bytes of a file from `start` to `end`, both included. Fails when the file ends before them, where Node's own file stream
 * would end as if it were whole. Closes the file at its end.
 */
export class FileStream extends Readable {
  readonly #file: FileHandle;
  readonly #end: number;
  #position: number;

  private constructor(file: FileHandle, start: number, end: number) {
    super({ highWaterMark: pieceSize });
    this.#file = file;
    this.#position = start;
    this.#end = end;
    // Nothing was written, so nothing is lost when closing fails.
    this.once("close", () => void file.close().catch(() => {}));
  }

  /** Reads the first piece at once, so a file that cannot be read throws here, before a reply has begun. */
  static async open(file: FileHandle, start: number, end: number): Promise<FileStream> {
    const stream = new FileStream(file, start, end);
    try {
      stream.push(await stream.#next());
      return stream;
    } catch (error) {
      stream.destroy();
      throw error;
    }
  }

  override _read(): void {
    if (this.#position > this.#end) {
      this.push(null);
      return;
    }
    this.#next().then(
      (piece) => this.push(piece),
      (error: Error) => this.destroy(error),
    );
  }

  async #next(): Promise<Buffer> {
    const wanted = Math.min(pieceSize, this.#end - this.#position + 1);
    const { bytesRead, buffer } = await this.#file.read(Buffer.allocUnsafeSlow(wanted), 0, wanted, this.#position);
    if (bytesRead === 0) throw new Error("The stored file is shorter than its row says.");
    this.#position += bytesRead;
    return buffer.subarray(0, bytesRead);
  }
}
