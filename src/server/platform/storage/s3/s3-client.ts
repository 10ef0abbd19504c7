import { S3Client, S3ServiceException } from "@aws-sdk/client-s3";
import { ProductError } from "#domain/errors/messages";

/** Where a bucket is, and what opens it. */
export interface S3Settings {
  endpoint: string;
  region: string;
  bucket: string;
  accessKeyId: string;
  secretAccessKey: string;
  /** Whether the bucket's name stands in the path instead of the host. */
  pathStyle: boolean;
}

/** Requests are repeated by the SDK, after pauses that grow to seconds. */
const attempts = 3;

const connectionTimeoutMs = 3000;

/** A connection without a byte for so long is given up. */
const silenceMs = 15_000;

const retryAfter = 10;

export function openClient({ endpoint, region, accessKeyId, secretAccessKey, pathStyle }: S3Settings): S3Client {
  return new S3Client({
    endpoint,
    region,
    credentials: { accessKeyId, secretAccessKey },
    forcePathStyle: pathStyle,
    maxAttempts: attempts,
    // The signature has the SHA-256 of the bytes already, and many stores do not know the newer checksums.
    requestChecksumCalculation: "WHEN_REQUIRED",
    responseChecksumValidation: "WHEN_REQUIRED",
    requestHandler: { connectionTimeout: connectionTimeoutMs, socketTimeout: silenceMs },
  });
}

/** Calls `hear` with the time in each reply of the store, to the second. */
export function onTimeOf(client: S3Client, hear: (time: Date) => void): void {
  client.middlewareStack.add(
    (next) => async (call) => {
      const reply = await next(call);
      const { headers } = reply.response as { headers: Record<string, string> };
      const time = new Date(headers["date"] ?? "");
      if (!Number.isNaN(time.getTime())) hear(time);
      return reply;
    },
    // Next to the connection, so that replies with an error pass too.
    { step: "deserialize", priority: "low" },
  );
}

/** What stores call a name without anything: of an object in a reply without a body, in one with a body, and of an upload. */
const absent = new Set(["NotFound", "NoSuchKey", "NoSuchUpload"]);

/** Returns what a request resolves with; undefined where the store has nothing of the name. Throws what `storeFault` returns. */
export async function ifThere<Result>(request: Promise<Result>): Promise<Result | undefined> {
  try {
    return await request;
  } catch (error) {
    if (error instanceof S3ServiceException && absent.has(error.name)) return undefined;
    throw storeFault(error);
  }
}

/** Returns what a request resolves with. Throws what `storeFault` returns. */
export async function orFault<Result>(request: Promise<Result>): Promise<Result> {
  try {
    return await request;
  } catch (error) {
    throw storeFault(error);
  }
}

/**
 * Returns `insufficient_storage` for a store that is full, and otherwise `unavailable`: it was not reached, or refuses what it took before.
 * Nothing in either tells whether the request was carried out.
 */
export function storeFault(cause: unknown): ProductError {
  const isFull = cause instanceof S3ServiceException && cause.$metadata.httpStatusCode === 507;
  return new ProductError(isFull ? "insufficient_storage" : "unavailable", { retryAfter, cause: cause as Error });
}
