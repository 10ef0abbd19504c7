import { dropPiece } from "../../memory/piece-garbage.ts";
import { isObjectId } from "../object-store.ts";
import type { OpenUpload, S3Bucket, StoredKey, StoredPart } from "./s3-bucket.ts";
import { storeFault } from "./s3-client.ts";

/** Bytes of every part of a multipart upload but the last: 5 GB are 640 of the 10,000 that stores allow, and the least is 5 MiB. */
export const partSize = 8 * 1024 * 1024;

/** First bytes of a part that stay readable; more than any check of a type reads. */
export const headSize = 64 * 1024;

const objects = "objects/";
const tails = "parts/";

export const keyOf = (id: string): string => objects + id;

/** The first bytes of an unfinished upload, which nobody can read from its parts. */
export const headKeyOf = (id: string): string => `${tails}${id}/head`;

/** Bytes behind the last whole part, which are too few for one. Later ones do not replace earlier ones before they are stored. */
const tailKeyOf = (id: string, after: number, length: number): string => `${tails}${id}/${after}-${length}`;

export interface Tail {
  key: string;
  /** The number of whole parts before it; of another number it is outdated. */
  after: number;
  length: number;
}

/** What a store has of an unfinished upload. */
export interface StoredUpload {
  upload: OpenUpload;
  /** Whole parts, from the first on. */
  parts: StoredPart[];
  tail: Tail | undefined;
  size: number;
  lastChange: Date;
}

/** Returns the upload of an id; undefined where it is not begun, completed or removed. */
export async function findUpload(bucket: S3Bucket, id: string): Promise<StoredUpload | undefined> {
  const [begun, beside] = await Promise.all([uploadsOf(bucket, id), besideOf(bucket, id)]);
  const upload = begun[0];
  const stored = upload && (await bucket.parts(upload));
  if (stored === undefined) return undefined;
  const isWhole = ({ number, size }: StoredPart, index: number): boolean => number === index + 1 && size === partSize;
  const end = stored.findIndex((part, index) => !isWhole(part, index));
  const parts = end === -1 ? stored : stored.slice(0, end);
  const tail = longestTail(id, parts.length, beside);
  const changes = [upload!.begun, ...stored.map(({ changed }) => changed), ...beside.map(({ changed }) => changed)];
  return {
    upload: upload!,
    parts,
    tail,
    size: parts.length * partSize + (tail?.length ?? 0),
    lastChange: new Date(Math.max(...changes.map((time) => time.getTime()))),
  };
}

/** Returns the open uploads of an id, the first first: repeated requests may have begun others, which stay empty. */
export async function uploadsOf(bucket: S3Bucket, id: string): Promise<OpenUpload[]> {
  const key = keyOf(id);
  const all: OpenUpload[] = [];
  for await (const page of bucket.uploads(key)) all.push(...page.filter((upload) => upload.key === key));
  return all.toSorted((a, b) => a.begun.getTime() - b.begun.getTime() || (a.uploadId < b.uploadId ? -1 : 1));
}

/** Returns what is stored beside the parts of an upload: its head and its tails. */
async function besideOf(bucket: S3Bucket, id: string): Promise<StoredKey[]> {
  const all: StoredKey[] = [];
  for await (const page of bucket.list(`${tails}${id}/`)) all.push(...page);
  return all;
}

function longestTail(id: string, after: number, beside: StoredKey[]): Tail | undefined {
  const [longest] = beside
    .filter(({ key, size }) => key === tailKeyOf(id, after, size))
    .toSorted((one, other) => other.size - one.size);
  return longest && { key: longest.key, after, length: longest.size };
}

/** Reads what is stored beside the parts into a buffer that has room for it. Returns its bytes there; undefined where there is none. */
export async function readInto(room: Buffer, bucket: S3Bucket, key: string): Promise<Buffer | undefined> {
  const body = await bucket.read(key);
  if (body === undefined) return undefined;
  let length = 0;
  try {
    for await (const piece of body as AsyncIterable<Buffer>) {
      length += piece.copy(room, length);
      dropPiece(piece);
    }
  } catch (cause) {
    throw storeFault(cause);
  }
  return room.subarray(0, length);
}

export async function putTail(bucket: S3Bucket, id: string, after: number, bytes: Buffer): Promise<Tail> {
  const key = tailKeyOf(id, after, bytes.length);
  await bucket.put(key, bytes);
  return { key, after, length: bytes.length };
}

/** Removes what is stored beside the parts of an upload. */
export async function removeBeside(bucket: S3Bucket, id: string): Promise<void> {
  for (const { key } of await besideOf(bucket, id)) await bucket.delete(key);
}

/** Iterates over every id with an object or an unfinished upload, in batches. Keys of something else, such as a console's folders, are left out. */
export async function* idsIn(bucket: S3Bucket): AsyncGenerator<string[]> {
  for await (const page of bucket.list(objects)) yield idsOf(page, objects);
  for await (const page of bucket.list(tails)) yield [...new Set(idsOf(page, tails))];
  for await (const page of bucket.uploads(objects)) yield idsOf(page, objects);
}

const idsOf = (page: readonly { key: string }[], folder: string): string[] =>
  page.map(({ key }) => key.slice(folder.length).split("/")[0]!).filter(isObjectId);
