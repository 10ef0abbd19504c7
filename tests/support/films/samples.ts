import { readFile } from "node:fs/promises";
import { join } from "node:path";

/** Returns a small film that ffmpeg or a browser has written; `scripts/film-samples/make.mjs` makes them anew. */
export const filmSample = (name: string): Promise<Buffer> => readFile(join(import.meta.dirname, "samples", name));
