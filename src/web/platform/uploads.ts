import { Upload, type DetailedError } from "tus-js-client";
import type { BucketName } from "#domain/upload-rules";
import { accessToken } from "./auth-client.ts";
import { answeredError, logError } from "./errors.ts";
import { ProductError } from "#domain/messages";

/** Small enough to lose little when a connection breaks, large enough to cost little (measured: design, section 5). */
const chunkBytes = 64 * 1024 * 1024;
const retryDelays = [0, 1000, 3000, 5000, 10_000, 20_000];

export interface UploadOptions {
  /** From 0 to 1. */
  onProgress: (share: number) => void;
  /** True while the connection is gone and the upload waits for it. */
  onWaiting?: (isWaiting: boolean) => void;
  signal: AbortSignal;
}

/** Sends a video by the tus protocol; a broken connection is waited out, and a reload of the page goes on where it was. */
export async function uploadVideo(file: File, options: UploadOptions): Promise<string> {
  const bucketName: BucketName = "course-videos";
  return new Promise((resolve, reject) => {
    const upload = new Upload(file, {
      endpoint: "/storage/v1/upload/resumable",
      chunkSize: chunkBytes,
      retryDelays,
      metadata: { bucketName, filename: file.name, filetype: file.type },
      removeFingerprintOnSuccess: true,
      onBeforeRequest: async (request) => {
        const token = await accessToken();
        if (token !== undefined) request.setHeader("Authorization", `Bearer ${token}`);
      },
      onShouldRetry: (error) => {
        if (statusOf(error) === 0) options.onWaiting?.(true);
        return mayRetry(statusOf(error));
      },
      onProgress: (sent, total) => {
        options.onWaiting?.(false);
        options.onProgress(total === 0 ? 0 : sent / total);
      },
      onError: (error) => {
        if (options.signal.aborted) return;
        if (isConnectionLost(error)) {
          options.onWaiting?.(true);
          whenBackOnline(() => upload.start(), options.signal);
          return;
        }
        logError(error);
        reject(uploadError(error));
      },
      onSuccess: () => {
        options.signal.removeEventListener("abort", cancel);
        resolve(idOf(upload.url));
      },
    });
    const cancel = (): void => {
      // What has arrived so far is given back; if that fails, the server forgets it in time.
      upload.abort(true).catch(logError);
      reject(new DOMException("The upload was cancelled.", "AbortError"));
    };
    options.signal.addEventListener("abort", cancel, { once: true });
    void upload.findPreviousUploads().then(([previous]) => {
      if (options.signal.aborted) return;
      if (previous) upload.resumeFromPreviousUpload(previous);
      upload.start();
    });
  });
}

function idOf(url: string | null): string {
  return new URL(url ?? "", location.origin).pathname.split("/").at(-1) ?? "";
}

function statusOf(error: Error | DetailedError): number {
  return "originalResponse" in error ? (error.originalResponse?.getStatus() ?? 0) : 0;
}

function mayRetry(status: number): boolean {
  return status < 400 || status >= 500 || status === 409 || status === 423 || status === 429;
}

function isConnectionLost(error: Error | DetailedError): boolean {
  return "originalRequest" in error && statusOf(error) === 0;
}

function uploadError(error: Error | DetailedError): ProductError {
  return errorFromBody("originalResponse" in error ? error.originalResponse?.getBody() : undefined);
}

function errorFromBody(body: string | undefined): ProductError {
  try {
    const { error, code } = JSON.parse(body ?? "") as { error?: unknown; code?: unknown };
    return answeredError(code, error);
  } catch {
    return new ProductError("unexpected");
  }
}

/** Goes on as soon as the browser says it is online, or after a while, since it does not always know. */
function whenBackOnline(goOn: () => void, signal: AbortSignal): void {
  const wake = (): void => {
    clearTimeout(timer);
    removeEventListener("online", wake);
    if (!signal.aborted) goOn();
  };
  const timer = setTimeout(wake, 15_000);
  addEventListener("online", wake);
}

/** Sends a screenshot in one form post and answers its upload id. A request of its own kind, because fetch tells no progress. */
export async function uploadScreenshot(file: File, { onProgress, signal }: UploadOptions): Promise<string> {
  if (import.meta.env.MODE === "demo") return crypto.randomUUID();
  const token = await accessToken();
  return new Promise((resolve, reject) => {
    const request = new XMLHttpRequest();
    const fail = (error: Error): void => {
      logError(error);
      reject(error);
    };
    request.open("POST", "/storage/v1/object/payment-screenshots");
    if (token !== undefined) request.setRequestHeader("Authorization", `Bearer ${token}`);
    request.upload.addEventListener("progress", ({ loaded, total }) => onProgress(total === 0 ? 0 : loaded / total));
    request.addEventListener("error", () => fail(new ProductError("offline")));
    request.addEventListener("abort", () => reject(new DOMException("The upload was cancelled.", "AbortError")));
    request.addEventListener("load", () => {
      if (request.status >= 300) return fail(errorFromBody(request.responseText));
      resolve((JSON.parse(request.responseText) as { upload_id: string }).upload_id);
    });
    signal.addEventListener("abort", () => request.abort());
    const form = new FormData();
    form.append("file", file);
    request.send(form);
  });
}
