// The process that checks captions: a file of 20,000 cues keeps a core busy long enough to delay other requests.
import { ProductError } from "#domain/errors/messages";
import { parseCaptions } from "#domain/materials/srt";
import { writeWebVtt } from "#domain/materials/webvtt";
import { serveJobs } from "../workers/serve-jobs.ts";
import type { CaptionReply } from "./caption-reader.ts";

await serveJobs(replyTo);

/** Any other error ends the process, which fails the job. */
function replyTo(file: Uint8Array): CaptionReply {
  try {
    return { bytes: Buffer.from(writeWebVtt(parseCaptions(utf8TextOf(file)))) };
  } catch (error) {
    if (error instanceof ProductError) return { code: error.code, text: error.message };
    throw error;
  }
}

function utf8TextOf(bytes: Uint8Array): string {
  try {
    const text = new TextDecoder("utf-8", { fatal: true }).decode(bytes);
    if (!text.includes("\0")) return text;
  } catch {
    // Not UTF-8.
  }
  throw new ProductError("captions_encoding");
}
