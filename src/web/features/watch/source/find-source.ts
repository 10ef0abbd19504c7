import type { LessonProgress } from "#domain/api/course/videos";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { checkRange } from "#domain/playback/devices";
import { api } from "../../../platform/api.ts";
import { controllerWithin } from "../../../platform/browsers/controller-within.ts";
import { errorOfReply, isAbort, logError, productErrorOf } from "../../../platform/errors.ts";
import { pause } from "../../../platform/timing/pause.ts";
import { takeBegun } from "./early-play.ts";

/** Where a film plays from, as the server said last. */
export interface Source {
  /** A path on this site, unless the film is at an outside address. */
  url: string;
  expires_at: string;
  /** The text that moves over the film; null without (DEVICE). */
  watermark: string | null;
  progress: LessonProgress | null;
}

const firstPauseMs = 500;
const maxPauseMs = 10_000;
/** Milliseconds without a reply after which the server counts as out of reach. */
const maxReplyMs = 10_000;

/** Codes of a link that has ended, or whose film was replaced: only asking to play says whether there is another. */
const endedLink: readonly ErrorCode[] = ["link_invalid", "not_found"];

/**
 * Returns a source that plays now: `before` while its link is accepted, else a new one. Waits as long as the server cannot be reached or
 * cannot serve, and calls `onWaiting` when that begins. Throws why the film may not be played, and an `AbortError` once the signal aborts.
 */
export async function findSource(
  id: string,
  { before, onWaiting, signal }: { before: Source | undefined; onWaiting: () => void; signal: AbortSignal },
): Promise<Source> {
  for (let failures = 0; ; failures += 1) {
    try {
      signal.throwIfAborted();
      const refusal = before && (await refusalOf(before.url, signal));
      if (before && !refusal) return before;
      // After another refusal, asking to play would take the place of the device that plays now.
      if (refusal && !endedLink.includes(refusal.code)) throw refusal;
      const found = (await takeBegun(id)) ?? (await api.videos.play({ params: { id } }, { signal }));
      return { ...found, url: ownPathOf(found.url) };
    } catch (thrown) {
      if (isAbort(thrown) || !isAway(thrown)) throw thrown;
      onWaiting();
      await pause(Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2), signal);
    }
  }
}

/** Returns whether the server cannot be reached, or cannot serve for a while. */
function isAway(thrown: unknown): boolean {
  return ["offline", "unavailable"].includes(productErrorOf(thrown).code);
}

/** Returns a link to one of our files as its path, which is the same at every address of the site; another address as it is. */
function ownPathOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname.startsWith("/storage/v1/object/sign/") ? pathname + search : url;
}

/** Returns why a link to a film is refused, or undefined while it leads to its first byte, here or at a store (FILE-19). Throws `offline` where no server replied within `maxReplyMs`. */
export async function refusalOf(url: string, signal: AbortSignal): Promise<ProductError | undefined> {
  const asking = controllerWithin(signal);
  const timer = setTimeout(() => asking.abort(), maxReplyMs);
  const reply = await fetch(url, {
    headers: { range: checkRange, accept: "application/json" },
    cache: "no-store",
    // The store's reply could not be read from here.
    redirect: "manual",
    signal: asking.signal,
  })
    .catch((thrown: unknown) => {
      throw signal.aborted ? thrown : new ProductError("offline");
    })
    .finally(() => clearTimeout(timer));
  if (reply.ok || reply.type === "opaqueredirect") {
    void reply.body?.cancel();
    return undefined;
  }
  const body: unknown = await reply.json().catch(() => undefined);
  const { error, code } = (typeof body === "object" && body !== null ? body : {}) as { error?: unknown; code?: unknown };
  // A damaged file is not mended by waiting.
  const isUnavailable = reply.status >= 500 && code !== "file_damaged";
  const refusal = errorOfReply(isUnavailable ? "unavailable" : code, error);
  logError(refusal);
  return refusal;
}
