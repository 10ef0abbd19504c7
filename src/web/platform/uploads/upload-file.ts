import { Upload, type DetailedError, type HttpResponse, type UploadOptions as TusOptions } from "tus-js-client";
import { ProductError } from "#domain/errors/messages";
import { accessToken, renewOrLoseSession } from "../auth-client.ts";
import { errorOfReply, logError, refusal } from "../errors.ts";
import { controllerWithin } from "../browsers/controller-within.ts";
import { randomUuid } from "../browsers/random-uuid.ts";
import { pause } from "../timing/pause.ts";

/** Small enough to lose little when a connection breaks, large enough to cost little (measured). */
const chunkBytes = 64 * 1024 * 1024;
/** Milliseconds between retries after a temporary error of the server. */
const retryDelays = [0, 1000, 3000, 5000, 10_000, 20_000];
/** Milliseconds between retries while the connection is lost: the browser does not always notice its return. */
const lossPauses = [1000, 3000, 5000, 10_000, 15_000];

export interface UploadOptions {
  /** Whether it can go on after a reload of the page, which leaves the file's name and size in the browser's storage. */
  outlivesPage: boolean;
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  /** Gets a way to try at once while the upload waits for the connection, undefined when it goes on. */
  onWaiting: (tryNow: (() => void) | undefined) => void;
  /** Cancels: what has arrived so far is given back, and the promise rejects with an `AbortError`. */
  signal: AbortSignal;
}

/**
 * Sends a file to a bucket by the tus protocol and returns its upload id. A broken connection is waited out for as long as it
 * takes. Throws `file_unreadable` when the file was moved or changed after it was chosen, else what the server answered.
 */
export async function uploadFile(bucketName: string, file: File, options: UploadOptions): Promise<string> {
  if (import.meta.env.MODE === "demo") return randomUuid();
  if (!(await isReadable(file))) throw refusal("file_unreadable");
  if (options.signal.aborted) throw cancelled();
  return send(bucketName, file, options);
}

function send(bucketName: string, file: File, options: UploadOptions): Promise<string> {
  const { outlivesPage, onProgress, onWaiting, signal } = options;
  return new Promise((resolve, reject) => {
    const over = new AbortController();
    const waits = createWaits(onWaiting, signal);
    const upload = new Upload(file, {
      ...requestOptions(signal),
      metadata: { bucketName, filename: file.name, filetype: file.type },
      storeFingerprintForResuming: outlivesPage,
      removeFingerprintOnSuccess: true,
      onProgress: (sent, total) => {
        if (signal.aborted) return;
        waits.end();
        onProgress(total === 0 ? 0 : sent / total);
      },
      onError: (error) => void goOnOrFail(error),
      onSuccess: () => {
        over.abort();
        resolve(idOf(upload.url));
      },
    });

    const waitAndGoOn = async (): Promise<void> => {
      if (await waits.wait()) upload.start();
    };
    const goOnOrFail = async (error: Error | DetailedError): Promise<void> => {
      if (signal.aborted) return;
      const cause = await finalError(error, file);
      if (!cause) return waitAndGoOn();
      over.abort();
      reject(cause);
    };
    const stopAndWait = (): void => {
      void upload.abort();
      void waitAndGoOn();
    };
    const cancel = (): void => {
      over.abort();
      // Where the removal fails, the server removes the upload later.
      upload.abort(true).catch(logError);
      reject(cancelled());
    };

    signal.addEventListener("abort", cancel, { signal: over.signal });
    // On a dead connection a request may hang for minutes.
    addEventListener("offline", stopAndWait, { signal: over.signal });
    void (outlivesPage ? upload.findPreviousUploads() : Promise.resolve([])).then(([previous]) => {
      if (signal.aborted) return;
      if (previous) upload.resumeFromPreviousUpload(previous);
      upload.start();
    });
  });
}

/** How each request is sent, and when it is sent again. */
function requestOptions(signal: AbortSignal) {
  return {
    endpoint: "/storage/v1/upload/resumable",
    chunkSize: chunkBytes,
    retryDelays,
    onBeforeRequest: async (request) => {
      const token = await accessToken();
      // After a cancel while the token was fetched, only the removal of the upload is sent.
      if (signal.aborted && request.getMethod() !== "DELETE") throw cancelled();
      if (token !== undefined) request.setHeader("Authorization", `Bearer ${token}`);
    },
    onAfterResponse: (_request, response) => {
      // A proxy's error says nothing about the upload. Taken for the server's reply, it would make tus begin a new one.
      if (isGateway(response)) throw new Error(`A proxy answered ${response.getStatus()} in the server's place.`);
    },
    onShouldRetry: (error) => mayRetry(statusOf(error)),
  } satisfies Partial<TusOptions>;
}

/** The waits for a lost connection, each longer than the one before. */
function createWaits(onWaiting: UploadOptions["onWaiting"], signal: AbortSignal) {
  let losses = 0;
  let isWaiting = false;
  return {
    /** Returns whether to go on afterwards: not after a cancel, and not where another call is waiting. */
    wait: async (): Promise<boolean> => {
      if (isWaiting) return false;
      isWaiting = true;
      const now = controllerWithin(signal);
      onWaiting(() => now.abort());
      await pause(lossPauses[losses++] ?? lossPauses.at(-1)!, now.signal);
      isWaiting = false;
      return !signal.aborted;
    },
    /** The connection is back. */
    end: (): void => {
      losses = 0;
      onWaiting(undefined);
    },
  };
}

/** Returns the error that ends an upload, logged; undefined where it goes on once the connection or the session is back. */
async function finalError(error: Error | DetailedError, file: File): Promise<ProductError | undefined> {
  logError(error);
  // A file that has vanished breaks a request just as a lost connection does.
  const isThere = await isReadable(file);
  if (isThere && isConnectionLost(error)) return undefined;
  const cause = isThere ? uploadError(error) : refusal("file_unreadable");
  const isRenewed = cause.code === "not_signed_in" && (await renewOrLoseSession());
  return isRenewed ? undefined : cause;
}

async function isReadable(file: File): Promise<boolean> {
  return file
    .slice(0, 1)
    .arrayBuffer()
    .then(
      () => true,
      () => false,
    );
}

function cancelled(): DOMException {
  return new DOMException("The upload was cancelled.", "AbortError");
}

function idOf(url: string | null): string {
  return new URL(url ?? "", location.origin).pathname.split("/").at(-1) ?? "";
}

/** Returns whether a proxy replied that it cannot reach the server, whose own errors have a code. */
function isGateway(response: HttpResponse): boolean {
  return [502, 503, 504].includes(response.getStatus()) && errorInBody(response.getBody()).code === "unexpected";
}

/** 0 where the server did not answer. */
function statusOf(error: Error | DetailedError): number {
  return "originalResponse" in error ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

function mayRetry(status: number): boolean {
  return status >= 500 || status === 409 || status === 423;
}

function isConnectionLost(error: Error | DetailedError): boolean {
  return "originalRequest" in error && statusOf(error) === 0;
}

function uploadError(error: Error | DetailedError): ProductError {
  return errorInBody("originalResponse" in error ? error.originalResponse?.getBody() : undefined);
}

/** Returns the error in a reply's body; `unexpected` where the server sent none. */
function errorInBody(body: string | undefined): ProductError {
  try {
    const { error, code } = JSON.parse(body ?? "") as { error?: unknown; code?: unknown };
    return errorOfReply(code, error);
  } catch {
    return new ProductError("unexpected");
  }
}
