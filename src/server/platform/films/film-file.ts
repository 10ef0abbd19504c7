import { open } from "node:fs/promises";

/** A file that is read in pieces. */
export interface FilmFile {
  size: number;
  /** Returns bytes from a position; fewer where the file ends. */
  read(position: number, length: number): Promise<Buffer>;
}

/** Opens a file for an action and closes it afterwards. */
export async function withFilmFile<Result>(path: string, action: (file: FilmFile) => Promise<Result>): Promise<Result> {
  const file = await open(path);
  try {
    const { size } = await file.stat();
    return await action({
      size,
      async read(position, length) {
        const wanted = Math.max(0, Math.min(length, size - position));
        const { buffer, bytesRead } = await file.read(Buffer.allocUnsafe(wanted), 0, wanted, position);
        return buffer.subarray(0, bytesRead);
      },
    });
  } finally {
    await file.close();
  }
}
