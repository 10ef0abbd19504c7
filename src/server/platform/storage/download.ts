import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError } from "#domain/messages";
import { isShownInline, type BucketName } from "#domain/upload-rules";
import type { Dependencies } from "../../dependencies.ts";
import type { Bucket } from "./object-store.ts";
import { findObjectByName, type StoredObject } from "./queries.ts";
import { noneMatchNames, rangeStillCounts, selectRange, type Selection } from "./ranges.ts";

/** Read from disk at once; larger reads are fewer trips to the thread pool, and each running download holds two. */
const pieceSize = 256 * 1024;

/** A file that is opened as a page may show itself and nothing else: no script, no form, no frame. */
const policy = "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'none'";

/** Without an origin, which `sandbox` takes, Chromium plays no film in a tab of its own. */
const policyOf = (contentType: string): string => (contentType.startsWith("video/") ? policy : `${policy}; sandbox`);

interface LinkRequest {
  Params: { bucket: string; name: string };
  Querystring: { token?: string | string[] };
}

/** `GET` and `HEAD /storage/v1/object/sign/{bucket}/{name}?token=`: the bytes, for as long as the link and its holder are good. */
export function registerDownloads(app: FastifyInstance, deps: Dependencies, buckets: ReadonlyMap<BucketName, Bucket>): void {
  app.route<LinkRequest>({
    method: ["GET", "HEAD"],
    url: "/storage/v1/object/sign/:bucket/:name",
    config: { longBody: true },
    async handler(request, reply) {
      // An error must not be kept by the browser as if it were the file.
      reply.header("cache-control", "no-store");
      const object = await openedObject(deps, buckets, request);
      return answer(deps, request, reply, object);
    },
  });
}

/** The object of a link; throws `link_invalid`, `not_found` when it is gone, `not_allowed` when its holder may no longer. */
async function openedObject(
  deps: Dependencies,
  buckets: ReadonlyMap<BucketName, Bucket>,
  request: FastifyRequest<LinkRequest>,
): Promise<StoredObject> {
  const { params, query } = request;
  const bucket = buckets.get(params.bucket as BucketName);
  if (bucket === undefined || Array.isArray(query.token)) throw new ProductError("link_invalid");
  const viewerId = deps.objects.viewerOf(query.token, bucket.name, params.name);
  const object = await findObjectByName(deps.db, bucket.name, params.name);
  if (object === undefined) throw new ProductError("not_found");
  if (!(await bucket.mayOpen(deps.db, viewerId, object.id))) throw new ProductError("not_allowed");
  return object;
}

async function answer(
  deps: Dependencies,
  request: FastifyRequest,
  reply: FastifyReply,
  object: StoredObject,
): Promise<FastifyReply> {
  const { headers, method } = request;
  // The bytes of an id never change, so the id names them.
  const etag = `"${object.id}"`;
  reply.headers({ etag, "cache-control": "private, max-age=3600", "accept-ranges": "bytes" });
  if (noneMatchNames(headers["if-none-match"], etag)) return reply.code(304).send();

  const ranged = method === "GET" && rangeStillCounts(headers["if-range"]?.toString(), etag);
  const selection = selectRange(ranged ? headers.range : undefined, object.size);
  if (selection.kind === "none") return reply.code(416).header("content-range", `bytes */${object.size}`).send();
  reply.headers({
    "content-type": object.content_type,
    "content-disposition": disposition(object),
    "content-security-policy": policyOf(object.content_type),
    "cross-origin-resource-policy": "same-origin",
  });
  return sendBytes(deps, method, reply, object, selection);
}

async function sendBytes(
  deps: Dependencies,
  method: string,
  reply: FastifyReply,
  { id, size }: StoredObject,
  selection: Exclude<Selection, { kind: "none" }>,
): Promise<FastifyReply> {
  const { start, end } = selection.kind === "part" ? selection : { start: 0, end: size - 1 };
  if (selection.kind === "part") reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.header("content-length", end - start + 1);
  if (method === "HEAD") return reply.send();
  const file = await deps.objects.folder.open(id);
  if (file === undefined) throw new ProductError("not_found");
  return reply.send(file.createReadStream({ start, end, highWaterMark: pieceSize }));
}

/** In place for raster images and videos, else a download (decisions 16); the name as RFC 6266 and RFC 8187 write it. */
function disposition({ content_type, filename }: StoredObject): string {
  const kind = isShownInline(content_type) ? "inline" : "attachment";
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
