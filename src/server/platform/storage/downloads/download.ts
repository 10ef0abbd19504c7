import type { Readable } from "node:stream";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { downloadName, isShownInline, type BucketName } from "#domain/upload-rules";
import type { Dependencies } from "../../../dependencies.ts";
import type { Bucket, LayoutBytes } from "../bucket.ts";
import { oldestStart } from "../../db/live-sessions.ts";
import { deviceIdIn, deviceInCookie } from "../../http/device-cookie.ts";
import { isOverHttps } from "../../http/origin.ts";
import { accountExists, prepareLinkedObject, type StoredObject } from "../queries.ts";
import { noneMatchNames, rangeStillCounts, selectRange } from "./ranges.ts";
import type { LinkClaims } from "./signed-links.ts";

/** A file opened as a page may display itself and nothing else: no script, no form, no frame. */
const policy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Without an origin, which `sandbox` takes, Chromium plays no film in a tab of its own. */
const policyOf = (contentType: string): string => (contentType.startsWith("video/") ? policy : `${policy}; sandbox`);

interface LinkRequest {
  Params: { bucket: string; name: string };
  Querystring: { token?: string | string[]; layout?: string | string[] };
}

/** `GET` and `HEAD /storage/v1/object/sign/{bucket}/{name}?token=`: sends the bytes while the link is valid and its holder may open the object. A person whose link is refused gets a page (FILE-11). */
export function registerDownloads(app: FastifyInstance, deps: Dependencies, buckets: ReadonlyMap<BucketName, Bucket>): void {
  const findLinked = prepareLinkedObject(deps.db);

  app.route<LinkRequest>({
    method: ["GET", "HEAD"],
    url: "/storage/v1/object/sign/:bucket/:name",
    config: { longBody: true, opensInTab: true },
    async handler(request, reply) {
      // An error must not be kept by the browser as if it were the file.
      reply.header("cache-control", "no-store");
      const [object, bucket] = await objectOfLink(deps, buckets, findLinked, request);
      return send(request, reply, bucket, object, await bytesToSend(deps, bucket, object, request.query.layout));
    },
  });
}

/**
 * Returns the object of a link, and its bucket. Throws `link_invalid`, also when the session that asked for it has ended (FILE-10), `account_deleted`,
 * `link_other_browser` (DEVICE-3), `not_found` when the object is gone, and what the bucket throws.
 */
async function objectOfLink(
  deps: Dependencies,
  buckets: ReadonlyMap<BucketName, Bucket>,
  findLinked: ReturnType<typeof prepareLinkedObject>,
  request: FastifyRequest<LinkRequest>,
): Promise<[StoredObject, Bucket]> {
  const { params, query } = request;
  const bucket = buckets.get(params.bucket as BucketName);
  if (bucket === undefined || Array.isArray(query.token)) throw new ProductError("link_invalid");
  const link = deps.links.read(query.token, bucket.name, params.name);
  const { sessionId } = link.viewer;
  const startedAfter = oldestStart(deps.clock.now()).toISOString();
  const [found] = await findLinked.execute({ sessionId, startedAfter, bucket: bucket.name, name: params.name });
  if (found === undefined) throw new ProductError(await reasonOfEnd(deps, link));
  if (!link.admitsDevice(deviceIdOf(deps, request)))
    throw new ProductError("link_other_browser", { accountId: found.viewerId });
  const { viewerId, object } = found;
  if (object === null) throw new ProductError("not_found");
  await bucket.checkViewer(deps, { id: viewerId, sessionId }, object.id);
  return [object, bucket];
}

async function reasonOfEnd({ db }: Dependencies, { viewer }: LinkClaims): Promise<ErrorCode> {
  return (await accountExists(db, viewer.id)) ? "link_invalid" : "account_deleted";
}

function deviceIdOf({ config }: Dependencies, request: FastifyRequest<LinkRequest>): string | undefined {
  const isSecure = isOverHttps(config.server.publicUrl, request);
  return deviceIdIn(deviceInCookie(request.headers.cookie, isSecure));
}

/** What a reply sends a part of. The bytes of an object never change, so its id names them. */
interface SentBytes extends LayoutBytes {
  entity: string;
}

async function bytesToSend(
  deps: Dependencies,
  bucket: Bucket,
  object: StoredObject,
  layout: string | string[] | undefined,
): Promise<SentBytes> {
  const other = typeof layout === "string" ? await bucket.openLayout?.(deps, object, layout) : undefined;
  if (other !== undefined) return { ...other, entity: `${object.id}-${String(layout)}` };
  return { entity: object.id, size: object.size, read: (start, end) => openBytes(deps, object, start, end) };
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
  object: StoredObject,
  { entity, size, read }: SentBytes,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const etag = `"${entity}"`;
  const success = { etag, "cache-control": "private, max-age=3600", "accept-ranges": "bytes" };
  if (noneMatchNames(headers["if-none-match"], etag)) return reply.code(304).headers(success).send();

  const ranged = method === "GET" && rangeStillCounts(headers["if-range"]?.toString(), etag);
  const selection = selectRange(ranged ? headers.range : undefined, size);
  if (selection.kind === "none") {
    reply.headers({ "accept-ranges": "bytes", "content-range": `bytes */${size}` });
    throw new ProductError("range_not_satisfiable");
  }
  const { start, end } = selection.kind === "part" ? selection : { start: 0, end: size - 1 };
  const bytes = await read(start, end);
  if (selection.kind === "part") reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.headers({
    ...success,
    "content-length": end - start + 1,
    "content-type": object.content_type,
    "content-disposition": disposition(object, bucket),
    "content-security-policy": policyOf(object.content_type),
    "cross-origin-resource-policy": "same-origin",
  });
  if (method === "GET") return reply.send(bytes);
  bytes.destroy();
  return reply.send();
}

/** Opens a range of an object's bytes before anything is replied; throws `file_damaged` when they are not all there. */
async function openBytes(deps: Dependencies, { id, size }: StoredObject, start: number, end: number): Promise<Readable> {
  const bytes = await deps.objects.open(id);
  if (bytes?.size === size) return bytes.read(start, end);
  await bytes?.close();
  const cause = new Error(`The file of object ${id} has ${bytes?.size ?? "no"} bytes instead of ${size}.`);
  throw new ProductError("file_damaged", { cause });
}

/** In place for raster images and videos of most buckets, else a download; the name as RFC 6266 and RFC 8187 write it. */
function disposition(object: StoredObject, bucket: Bucket): string {
  const kind = isShownInline(object.content_type) && bucket.isForDownload !== true ? "inline" : "attachment";
  const filename = downloadName(object.filename, object.content_type);
  const plain = filename.replace(/[^\x20-\x7e]|["\\%]/g, "_");
  const encoded = encodeURIComponent(filename).replace(/['()*]/g, (character) => `%${character.charCodeAt(0).toString(16)}`);
  return `${kind}; filename="${plain}"; filename*=UTF-8''${encoded}`;
}
