// @ts-check
import { createWriteStream } from "node:fs";
import { open } from "node:fs/promises";
import { pipeline } from "node:stream/promises";

/** @returns {import("./server.mjs").Routes} */
export function uploadRoutes() {
  return {
    // Replies when the bytes are on disk.
    "PUT /upload": {
      open: async ({ request, response, url }) => {
        const path = /** @type {string} */ (url.searchParams.get("path"));
        const file = await open(path, "w");
        await pipeline(request, createWriteStream(path, { fd: file.fd, autoClose: false, highWaterMark: 256 * 1024 }));
        await file.sync();
        await file.close();
        response.writeHead(204).end();
        return undefined;
      },
    },
  };
}
