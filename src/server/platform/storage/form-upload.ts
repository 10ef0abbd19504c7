import { randomUUID } from "node:crypto";
import multipart, { type Multipart, type MultipartFile } from "@fastify/multipart";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { ProductError, type ErrorCode } from "#domain/messages";
import type { Dependencies } from "../../dependencies.ts";
import { requireVerified, type Authenticate, type Principal } from "../http/access.ts";
import { complete } from "./completion.ts";
import { SourceBrokenError, takeIn } from "./intake.ts";
import { limitNewUploads } from "./new-upload-limit.ts";
import type { Bucket } from "./object-store.ts";
import { TypeCheck } from "./type-check.ts";

/** What a form adds around its file, generously. */
const formOverhead = 64 * 1024;

/** A form has one file; a few more parts do no harm and are read away. */
const limits = { fileSize: Number.POSITIVE_INFINITY, fieldSize: 64 * 1024, fields: 10, files: 2, parts: 12 };

export type FormBucket = Bucket & { missingFile: ErrorCode };

/**
 * `POST /storage/v1/object/{bucket}`: the same upload in one multipart form, field `file`, written to disk as it comes. Answers
 * 201 with `upload_id`. What is refused or cut off leaves nothing behind.
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
    const announced = Number(request.headers["content-length"] ?? 0);
    if (announced >= bucket.maxBytes + formOverhead) throw new ProductError(bucket.tooLarge);
    await limitNewUploads(deps, principal);
    return reply.code(201).send({ upload_id: await store(deps, request, bucket, principal) });
  });
}

async function store(deps: Dependencies, request: FastifyRequest, bucket: FormBucket, principal: Principal): Promise<string> {
  const { folder } = deps.objects;
  const id = randomUUID();
  try {
    const filename = await receive(deps, request, bucket, id);
    await folder.sync();
    await complete(deps.db, folder, { id, ownerId: principal.id, filename, bucket }, deps.clock.now());
    return id;
  } catch (error) {
    await folder.remove(id);
    // The parser is stopped and the rest of the body read away, so that the sender gets to read the answer.
    request.raw.unpipe().resume();
    throw error instanceof SourceBrokenError ? new ProductError("invalid_input") : error;
  }
}

/** Writes the form's file under an id and reads the form to its end; answers the file's name. */
async function receive(deps: Dependencies, request: FastifyRequest, bucket: FormBucket, id: string): Promise<string> {
  let filename: string | undefined;
  for await (const part of partsOf(request)) {
    if (part.type !== "file") continue;
    if (part.fieldname !== "file" || filename !== undefined) {
      part.file.resume();
      continue;
    }
    const size = await writeFile(deps, bucket, id, part);
    // A form whose file was not chosen sends an empty one without a name (HTML, section 4.10.21.4).
    if (size === 0) throw new ProductError(part.filename ? "file_empty" : bucket.missingFile);
    filename = part.filename ?? "";
  }
  if (filename === undefined) throw new ProductError(bucket.missingFile);
  return filename;
}

/** The form's parts; throws `SourceBrokenError` for a form that ends early or is none. */
async function* partsOf(request: FastifyRequest): AsyncGenerator<Multipart> {
  const parts = request.parts();
  for (;;) {
    const next = await parts.next().catch((cause: unknown) => {
      throw new SourceBrokenError("The form is broken.", { cause });
    });
    if (next.done === true) return;
    yield next.value;
  }
}

async function writeFile(deps: Dependencies, bucket: Bucket, id: string, part: MultipartFile): Promise<number> {
  const check = new TypeCheck(bucket);
  const file = await deps.objects.folder.create(id);
  try {
    return await takeIn({
      source: part.file,
      file,
      offset: 0,
      room: bucket.maxBytes - 1,
      tooMany: bucket.tooLarge,
      look: (piece) => check.look(piece),
    });
  } finally {
    await file.close();
  }
}
