import { randomUUID } from "node:crypto";
import type { IncomingHttpHeaders } from "node:http";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ERRORS, Metadata, Server, TUS_RESUMABLE } from "@tus/server";
import { ProductError } from "#domain/errors/messages";
import { fileTooLarge } from "#domain/files/chosen-file";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../clock.ts";
import { requireVerified, type Authenticate, type Principal } from "../../http/access.ts";
import { bodyOf } from "../../http/errors.ts";
import { decodeText } from "../../http/text-input.ts";
import { limitNewUploads, limitUploadParts } from "../uploads/new-upload.ts";
import { isObjectId } from "../object-store.ts";
import type { UploadBucket } from "../bucket.ts";
import { keptSeconds } from "../sweep.ts";
import type { TusCall, TusStore } from "./tus-store.ts";

const path = "/storage/v1/upload/resumable";

/** The type of a PATCH's body. */
const partType = "application/offset+octet-stream";

/** Far more than a bucket, a type and the longest file name need. */
const maxMetadata = 4096;

/** The only headers that the protocol's own code sees: what proxies add is none of its business. */
const protocolHeaders = ["tus-resumable", "content-length", "content-type"];

/**
 * Registers the tus 1.0 resumable upload protocol (FILE-5) with creation, creation-with-upload and termination. Access comes first, then the
 * bucket's rules; the protocol itself is @tus/server's. Errors are the product's own JSON.
 */
export function registerTus(
  app: FastifyInstance,
  deps: Dependencies,
  authenticate: Authenticate,
  buckets: ReadonlyMap<string, UploadBucket>,
  store: TusStore,
): void {
  const calls = new WeakMap<object, TusCall>();
  const tus = new Server({
    path,
    datastore: store,
    locker: (request) => store.locks.lockerOf(calls.get(request) as TusCall),
    relativeLocation: true,
    allowedOrigins: [],
    namingFunction: () => randomUUID(),
    onResponseError(request, error) {
      const call = calls.get(request);
      if (call) call.failure = error;
      return undefined;
    },
  });

  const respond = async (
    method: string,
    request: FastifyRequest,
    reply: FastifyReply,
    principal: Principal,
  ): Promise<FastifyReply> => {
    const call: TusCall = { body: request.raw, principal, receiving: false, stopped: false };
    const address = new URL(request.url.replace(/\?.*$/, ""), "http://tus");
    const protocolRequest = new Request(address, { method, headers: headersOf(request.headers) });
    calls.set(protocolRequest, call);
    const response = await tus.handleWeb(protocolRequest);
    if (call.failure !== undefined) throw productErrorOf(call.failure);
    for (const [name, value] of response.headers) if (!name.startsWith("access-control-")) reply.header(name, value);
    // What is left without a failure of ours are headers that break the protocol.
    if (response.status >= 400) throw new ProductError("invalid_input");
    const lastChange = call.unfinishedId && (await deps.objects.lastChange(call.unfinishedId));
    if (lastChange) reply.header("upload-expires", secondsAfter(lastChange, keptSeconds).toUTCString());
    return reply.code(response.status).send();
  };

  const config = { longBody: true } as const;
  const describe = (reply: FastifyReply): FastifyReply =>
    reply
      .code(204)
      .headers({
        "tus-resumable": TUS_RESUMABLE,
        "tus-version": TUS_RESUMABLE,
        "tus-extension": store.extensions.join(","),
        "tus-max-size": Math.max(...[...buckets.values()].map(({ maxBytes }) => maxBytes)) - 1,
      })
      .send();
  app.route({
    method: ["OPTIONS", "POST"],
    url: path,
    config,
    async handler(request, reply) {
      const method = methodOf(request);
      if (method === "OPTIONS") return describe(reply);
      if (method !== "POST") throw new ProductError("method_not_allowed");
      const principal = await authenticate(request.headers.authorization);
      requireVerified(principal);
      if (!speaksTus(request)) return refuseVersion(reply);
      checkNewUpload(request.headers, principal, buckets);
      await limitNewUploads(deps, principal);
      return respond(method, request, reply, principal);
    },
  });
  app.route<{ Params: { id: string } }>({
    method: ["HEAD", "PATCH", "DELETE", "POST"],
    url: `${path}/:id`,
    config,
    async handler(request, reply) {
      const method = methodOf(request);
      if (!["HEAD", "PATCH", "DELETE"].includes(method)) throw new ProductError("method_not_allowed");
      const principal = await authenticate(request.headers.authorization);
      requireVerified(principal);
      if (!speaksTus(request)) return refuseVersion(reply);
      await checkOwner(store, request.params.id, principal);
      if (method === "PATCH") {
        if (request.headers["content-type"] !== partType) throw new ProductError("upload_part_type_invalid");
        await limitUploadParts(deps, principal);
      }
      return respond(method, request, reply, principal);
    },
  });
}

/**
 * For clients whose network lets no PATCH or DELETE pass (tus 1.0, "X-HTTP-Method-Override"). Of a POST alone: a HEAD that deletes would not be
 * safe (RFC 9110, section 9.2.1).
 */
function methodOf({ method, headers }: FastifyRequest): string {
  return method === "POST" ? String(headers["x-http-method-override"] ?? method).toUpperCase() : method;
}

function speaksTus(request: FastifyRequest): boolean {
  return request.headers["tus-resumable"] === TUS_RESUMABLE;
}

/** tus 1.0, "Tus-Resumable": 412 with the versions there are. */
function refuseVersion(reply: FastifyReply): FastifyReply {
  const error = new ProductError("upload_protocol_unknown");
  return reply.code(error.status).header("tus-version", TUS_RESUMABLE).send(bodyOf(error));
}

/**
 * Throws unless the principal may start an upload of this length in the bucket that the metadata names. Extensions of the
 * protocol that are not offered, lengths that come later and uploads put together from others, are refused.
 */
function checkNewUpload(headers: IncomingHttpHeaders, principal: Principal, buckets: ReadonlyMap<string, UploadBucket>): void {
  if (headers["upload-concat"] !== undefined || headers["upload-defer-length"] !== undefined) {
    throw new ProductError("invalid_input");
  }
  const bucket = buckets.get(metadataOf(headers["upload-metadata"])["bucketName"] ?? "");
  if (bucket === undefined) throw new ProductError("invalid_input");
  bucket.checkUploader(principal);
  const length = headers["upload-length"];
  if (typeof length !== "string" || !/^\d{1,15}$/.test(length)) throw new ProductError("invalid_input");
  if (Number(length) === 0) throw new ProductError("file_empty");
  if (Number(length) >= bucket.maxBytes) throw fileTooLarge(bucket.tooLarge, bucket.maxBytes);
}

/** The pairs of `Upload-Metadata`; throws `invalid_input` where a value is not text that can be stored. */
function metadataOf(header: string | string[] | undefined): Record<string, string | null> {
  const pairs = String(header ?? "");
  if (pairs.length > maxMetadata) throw new ProductError("invalid_input");
  for (const pair of pairs.split(",")) decodeText(Buffer.from(pair.trim().split(" ")[1] ?? "", "base64"));
  try {
    return Metadata.parse(pairs);
  } catch {
    throw new ProductError("invalid_input");
  }
}

/** Someone else's upload does not exist for a caller; one's own needs the right to upload at every step. */
async function checkOwner(store: TusStore, id: string, principal: Principal): Promise<void> {
  const known = isObjectId(id) ? await store.belongsTo(id) : undefined;
  if (known?.ownerId !== principal.id) throw new ProductError("upload_not_found");
  known.bucket.checkUploader(principal);
}

function headersOf(headers: IncomingHttpHeaders): Headers {
  const passed = new Headers();
  for (const [name, value] of Object.entries(headers)) {
    const isPassed = protocolHeaders.includes(name) || name.startsWith("upload-");
    if (isPassed && typeof value === "string") passed.set(name, value);
  }
  return passed;
}

function productErrorOf(failure: unknown): unknown {
  if (failure instanceof ProductError) return failure;
  if (failure === ERRORS.FILE_NOT_FOUND || failure === ERRORS.FILE_NO_LONGER_EXISTS)
    return new ProductError("upload_not_found");
  if (failure === ERRORS.INVALID_OFFSET) return new ProductError("upload_moved_on");
  if (failure === ERRORS.ERR_SIZE_EXCEEDED) return new ProductError("body_too_large");
  const status = (failure as { status_code?: number }).status_code ?? 500;
  // 501 is for an extension of the protocol that is not offered.
  return status < 500 || status === 501 ? new ProductError("invalid_input") : failure;
}
