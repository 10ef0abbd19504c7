import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import type { BucketName } from "#domain/files/buckets";
import { downloadName } from "#domain/files/file-names";
import { isShownInline } from "#domain/files/file-types";
import { checkRange } from "#domain/playback/devices";
import type { Dependencies } from "../../../dependencies.ts";
import type { Bucket, LayoutBytes } from "../bucket.ts";
import { oldestStart } from "../../db/session-lifetime.ts";
import { deviceIdIn, deviceInCookie } from "../../http/client/device-cookie.ts";
import { isOverHttps } from "../../http/origin.ts";
import type { SentHeaders } from "../object-store.ts";
import { existsAccount, findLinkedObject, type StoredObject } from "../queries.ts";
import { filmAddressSeconds } from "./film-address.ts";
import { sendPieces } from "./send-pieces.ts";
import { noneMatchNames, rangeStillCounts, selectRange } from "./ranges.ts";
import type { LinkClaims } from "./signed-links.ts";

/** A file opened as a page may display itself and nothing else: no script, no form, no frame. */
const policy =
  "default-src 'none'; img-src 'self'; media-src 'self'; style-src 'unsafe-inline'; base-uri 'none'; frame-ancestors 'none'";

/** Without an origin, which `sandbox` takes, Chromium plays no film in a tab of its own. */
const policyOf = (contentType: string): string => (contentType.startsWith("video/") ? policy : `${policy}; sandbox`);

/** Kept by the browser, not by what stands between. */
const cacheControl = "private, max-age=3600";

/** Seconds in which a store begins to send what is read at once. */
const addressSeconds = 60;

interface LinkRequest {
  Params: { bucket: string; name: string };
  Querystring: { token?: string | string[]; layout?: string | string[]; via?: string | string[] };
}

/**
 * `GET` and `HEAD /storage/v1/object/sign/{bucket}/{name}?token=`: sends the bytes while the link is valid and its holder may open the object. A person
 * whose link is refused gets a page (FILE-11).
 */
export function registerDownloads(app: FastifyInstance, deps: Dependencies, buckets: ReadonlyMap<BucketName, Bucket>): void {
  app.route<LinkRequest>({
    method: ["GET", "HEAD"],
    url: "/storage/v1/object/sign/:bucket/:name",
    config: { longBody: true, opensInTab: true },
    async handler(request, reply) {
      // An error must not be kept by the browser as if it were the file.
      reply.header("cache-control", "no-store");
      const { object, bucket, maySendBySite } = await objectOfLink(deps, buckets, request);
      const { query, method } = request;
      // A store has the ordinary layout alone.
      const layout = deps.objects.addressOf ? undefined : query.layout;
      const location = deps.config.files.accelRedirect;
      if (location !== undefined && layout === undefined) return handOver(deps, reply, bucket, object, location);
      // An address would open the whole file, of which a check asks for a byte.
      const isShort = method !== "GET" || isCheck(request);
      const isSentBySite = (query.via === "site" && maySendBySite) || isShort || bucket.isReadByPages === true;
      if (deps.objects.addressOf && !isSentBySite) return redirect(deps, reply, bucket, object);
      if (method === "HEAD" && layout === undefined) requireWhole(object, await deps.objects.size(object.id));
      return send(request, reply, bucket, object, await bytesToSend(deps, bucket, object, layout));
    },
  });
}

/** Whether a page asks only if its link still holds. With `If-Range` the whole file may be sent. */
function isCheck({ headers }: FastifyRequest<LinkRequest>): boolean {
  return headers.range === checkRange && headers["if-range"] === undefined;
}

interface LinkedObject {
  object: StoredObject;
  bucket: Bucket;
  maySendBySite: boolean;
}

/**
 * Returns the object of a link, its bucket, and what its holder may ask of the site. Throws `link_invalid`, also when the session that asked for it has ended (FILE-10), `account_deleted`,
 * `link_other_browser` (DEVICE-3), `not_found` when the object is gone, and what the bucket throws.
 */
async function objectOfLink(
  deps: Dependencies,
  buckets: ReadonlyMap<BucketName, Bucket>,
  request: FastifyRequest<LinkRequest>,
): Promise<LinkedObject> {
  const { params, query } = request;
  const bucket = buckets.get(params.bucket as BucketName);
  if (bucket === undefined || Array.isArray(query.token)) throw new ProductError("link_invalid");
  const link = deps.links.read(query.token, bucket.name, params.name);
  const { sessionId } = link.viewer;
  const startedAfter = oldestStart(deps.clock.now()).toISOString();
  const names = { sessionId, startedAfter, bucket: bucket.name, name: params.name };
  const found = await (bucket.findLinked ?? findLinkedObject)(deps.db, names);
  if (found === undefined) throw new ProductError(await reasonOfEnd(deps, link));
  if (!link.admitsDevice(deviceIdOf(deps, request)))
    throw new ProductError("link_other_browser", { accountId: found.viewerId });
  const { viewerId, object } = found;
  if (object === null) throw new ProductError("not_found");
  await bucket.checkViewer(deps, { id: viewerId, sessionId }, { ...found, object }, isCheck(request));
  return { object, bucket, maySendBySite: bucket.maySendBySite?.(found) === true };
}

async function reasonOfEnd({ db }: Dependencies, { viewer }: LinkClaims): Promise<ErrorCode> {
  return (await existsAccount(db, viewer.id)) ? "link_invalid" : "account_deleted";
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
  return { entity: object.id, size: object.size, pieces: (start, end) => piecesOf(deps, object, start, end) };
}

async function send(
  request: FastifyRequest,
  reply: FastifyReply,
  bucket: Bucket,
  object: StoredObject,
  { entity, size, pieces }: SentBytes,
): Promise<FastifyReply> {
  const { headers, method } = request;
  const etag = `"${entity}"`;
  const success = { etag, "cache-control": cacheControl, "accept-ranges": "bytes" };
  if (noneMatchNames(headers["if-none-match"], etag)) return reply.code(304).headers(success).send();

  const ranged = method === "GET" && rangeStillCounts(headers["if-range"]?.toString(), etag);
  const selection = selectRange(ranged ? headers.range : undefined, size);
  if (selection.kind === "none") {
    reply.headers({ "accept-ranges": "bytes", "content-range": `bytes */${size}` });
    throw new ProductError("range_not_satisfiable");
  }
  const { start, end } = selection.kind === "part" ? selection : { start: 0, end: size - 1 };
  const bytes = pieces(start, end);
  // Read before anything is replied, so that what cannot be read has the reply of an error.
  const first = method === "GET" ? await bytes.next() : undefined;
  if (selection.kind === "part") reply.code(206).header("content-range", `bytes ${start}-${end}/${size}`);
  reply.headers({ ...success, ...headersOf(object, bucket), "content-length": end - start + 1 });
  return first ? sendPieces(request, reply, first, bytes) : reply.send();
}

/**
 * Has the nginx in front send an object from one of its internal locations (`ACCEL_REDIRECT`). It looks at ranges and conditions of the
 * request itself. Throws `file_damaged` when the bytes are not all there.
 */
async function handOver(
  deps: Dependencies,
  reply: FastifyReply,
  bucket: Bucket,
  object: StoredObject,
  location: string,
): Promise<FastifyReply> {
  requireWhole(object, await deps.objects.size(object.id));
  reply.headers({
    ...headersOf(object, bucket),
    "cache-control": cacheControl,
    "x-accel-redirect": `${location}/${object.id}`,
  });
  return reply.send();
}

/**
 * Leads to the store, which sends the bytes itself (FILE-19). A browser remembers where it was led, and asks there for all other parts of a
 * film. Throws `file_damaged` when the bytes are not all there.
 */
async function redirect(deps: Dependencies, reply: FastifyReply, bucket: Bucket, object: StoredObject): Promise<FastifyReply> {
  requireWhole(object, await deps.objects.size(object.id));
  const seconds = object.content_type.startsWith("video/") ? filmAddressSeconds : addressSeconds;
  return reply.redirect(await deps.objects.addressOf!(object.id, headersOf(object, bucket), seconds), 307);
}

function headersOf(object: StoredObject, bucket: Bucket): SentHeaders & Record<string, string> {
  return {
    "content-type": object.content_type,
    "content-disposition": disposition(object, bucket),
    "content-security-policy": policyOf(object.content_type),
    "cross-origin-resource-policy": "same-origin",
  };
}

/** Iterates over the bytes of an object. Throws `file_damaged` at the first when they are not all there. */
async function* piecesOf(deps: Dependencies, object: StoredObject, start: number, end: number): AsyncGenerator<Buffer, void> {
  const bytes = await deps.objects.open(object.id);
  if (bytes?.size === object.size) return yield* bytes.pieces(start, end);
  await bytes?.close();
  requireWhole(object, bytes?.size);
}

/** Throws `file_damaged` unless an object has all of its bytes. */
function requireWhole({ id, size }: StoredObject, found: number | undefined): void {
  if (found === size) return;
  const cause = new Error(`The file of object ${id} has ${found ?? "no"} bytes instead of ${size}.`);
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
