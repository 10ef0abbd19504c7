import { randomUUID } from "node:crypto";
import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { fileTooLarge } from "#domain/files/chosen-file";
import type { Dependencies } from "../../../dependencies.ts";
import { isDatabaseUnavailable } from "../../db/unavailable.ts";
import { requireVerified, type Authenticate } from "../../http/access.ts";
import { completeUpload } from "./complete-upload.ts";
import { SourceBrokenError, receiveBody } from "./receive-body.ts";
import { beginUpload, limitNewUploads } from "./new-upload.ts";
import type { UploadBucket } from "../bucket.ts";
import { TypeCheck } from "./type-check.ts";
import { deleteUnfinished } from "./unfinished-uploads.ts";

/** What a form adds around its file, generously. */
const formOverhead = 64 * 1024;

/** Bytes beside its file after which a form is cut off. More than the buffers before the file hold, so that a file that is too large is refused with a reply. */
const maxDiscardedBytes = 1024 * 1024;

/** A form has one file; a few more parts are harmless and discarded. */
const limits = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 64 * 1024, fields: 10, files: 2, parts: 12 };

export type FormBucket = UploadBucket & { missingFile: ErrorCode };

/**
 * `POST /storage/v1/object/{bucket}`: the same upload in one multipart form, field `file`, stored while it arrives. Replies 201
 * with `upload_id`. A refused or interrupted form leaves nothing behind.
 */
export async function registerFormUpload(
  app: FastifyInstance,
  deps: Dependencies,
  authenticate: Authenticate,
  bucket: FormBucket,
): Promise<void> {
  await app.register(multipart, { limits });
  app.post(`/storage/v1/object/${bucket.name}`, { config: { longBody: true } }, async (request, reply) => {
    const principal = await authenticate(request.headers.authorization);
    requireVerified(principal);
    bucket.checkUploader(principal);
    if (!request.isMultipart()) throw new ProductError(bucket.missingFile);
    const announced = Number(request.headers["content-length"] ?? bucket.maxBytes);
    if (announced >= bucket.maxBytes + formOverhead) throw fileTooLarge(bucket.tooLarge, bucket.maxBytes);
    await limitNewUploads(deps, principal);
    const id = randomUUID();
    // Without a length, the largest file counts; with an empty body too, which is refused as soon as it is read.
    const size = Math.min(announced || bucket.maxBytes, bucket.maxBytes);
    await beginUpload(deps, principal, bucket, { id, size, metadata: {} });
    await store(deps, request, bucket, { id, ownerId: principal.id });
    return reply.code(201).send({ upload_id: id });
  });
}

async function store(
  deps: Dependencies,
  request: FastifyRequest,
  bucket: FormBucket,
  { id, ownerId }: { id: string; ownerId: string },
): Promise<void> {
  let isReceived = false;
  try {
    const received = await receive(deps, request, bucket, id);
    isReceived = true;
    await completeUpload(deps.db, deps.objects, { id, ownerId, bucket, ...received }, deps.clock.now());
  } catch (error) {
    // The reply to a commit can be lost: then the row is there, and the sweep removes bytes without one (FILE-7).
    if (!isReceived || !isDatabaseUnavailable(error)) await deps.objects.remove(id).catch(() => {});
    await deleteUnfinished(deps.db, id);
    // The parser is stopped and the rest of the body discarded, so that the sender can read the reply.
    request.raw.unpipe().resume();
    throw error instanceof SourceBrokenError ? new ProductError("invalid_input") : error;
  }
}

/** Stores the form's file under an id, reads the form to its end and returns the file's name and its bytes. */
async function receive(
  deps: Dependencies,
  request: FastifyRequest,
  bucket: FormBucket,
  id: string,
): Promise<{ filename: string; size: number }> {
  let file: { filename: string; size: number } | undefined;
  for await (const part of partsOf(request, bucket.maxBytes + maxDiscardedBytes)) {
    if (part.type !== "file") continue;
    if (part.fieldname !== "file" || file !== undefined) {
      part.file.resume();
      continue;
    }
    const size = await writeFile(deps, bucket, id, part);
    // A form whose file was not chosen sends an empty one without a name (HTML, section 4.10.21.4).
    if (size === 0) throw new ProductError(part.filename ? "file_empty" : bucket.missingFile);
    file = { filename: part.filename ?? "", size };
  }
  if (file === undefined) throw new ProductError(bucket.missingFile);
  return file;
}

/** The form's parts; throws `SourceBrokenError` for a form that ends early or is none, and for one of more bytes, whose connection it cuts. */
async function* partsOf(request: FastifyRequest, maxBytes: number): AsyncGenerator<Multipart> {
  const { raw } = request;
  let received = 0;
  const count = ({ length }: Buffer): void => {
    received += length;
    if (received > maxBytes) raw.destroy(new Error("The form is too long."));
  };
  const parts = request.parts();
  raw.on("data", count);
  try {
    for (;;) {
      const next = await parts.next().catch((cause: unknown) => {
        throw new SourceBrokenError("The form is broken.", { cause });
      });
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    raw.off("data", count);
  }
}

async function writeFile(deps: Dependencies, bucket: UploadBucket, id: string, part: MultipartFile): Promise<number> {
  const check = new TypeCheck(bucket, part.filename ?? "");
  await deps.objects.begin(id);
  const writer = await deps.objects.append(id, 0);
  if (writer === undefined) throw new Error(`The new part of upload ${id} is gone.`);
  try {
    return await receiveBody({
      source: part.file,
      writer,
      room: bucket.maxBytes - 1,
      tooMany: () => fileTooLarge(bucket.tooLarge, bucket.maxBytes),
      look: (piece) => check.look(piece),
    });
  } finally {
    // No one else has the id before the reply.
    await writer.close(true);
  }
}
