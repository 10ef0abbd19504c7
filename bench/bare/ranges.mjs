// @ts-check
import { createReadStream } from "node:fs";

/** @param {import("pg").Pool} pool @returns {import("./server.mjs").Routes} */
export function rangeRoutes(pool) {
  return {
    // The query names the session and the object, and the file where it lies.
    "GET /film": {
      open: async ({ request, response, url }) => {
        const { rows } = await pool.query({
          ...findFilm,
          values: [url.searchParams.get("session"), url.searchParams.get("object")],
        });
        const range = /^bytes=(\d+)-(\d+)$/.exec(request.headers.range ?? "");
        if (rows.length === 0 || range === null) return void response.writeHead(403, { "content-length": 0 }).end();
        const [start, end] = [Number(range[1]), Number(range[2])];
        response.writeHead(206, {
          "content-type": rows[0].content_type,
          "content-length": end - start + 1,
          "content-range": `bytes ${start}-${end}/${rows[0].size}`,
          "accept-ranges": "bytes",
          etag: `"${rows[0].id}"`,
        });
        const path = /** @type {string} */ (url.searchParams.get("path"));
        createReadStream(path, { start, end, highWaterMark: 256 * 1024 }).pipe(response);
        return undefined;
      },
    },
  };
}

/** Whether the session lives, its account may play the film, and the object. */
const findFilm = {
  name: "film",
  text: `
    select stored_objects.id, stored_objects.content_type, stored_objects.size
    from sessions
    join accounts on accounts.id = account_id
    join profiles on profiles.id = accounts.id
    join stored_objects on stored_objects.id = $2
    join videos on videos.object_id = stored_objects.id
    where sessions.id = $1 and revoked_at is null and email_verified_at is not null
      and (role = 'admin' or package_type = 'both' or subscription_status = package_type)`,
};
