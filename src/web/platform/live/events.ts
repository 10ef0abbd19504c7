import { eventTopics, supersededEvent, type EventTopic } from "#domain/api/events";
import { accessToken, renewOrLoseSession } from "../auth-client.ts";
import { controllerWithin } from "../browsers/controller-within.ts";
import { logError } from "../errors.ts";
import { pause, untilVisible } from "../timing/pause.ts";
import { createEventParser } from "./event-parser.ts";

export type ConnectionState = "connecting" | "open" | "lost";

interface EventStreamOptions {
  onTopic: (topic: EventTopic) => void;
  onState: (state: ConnectionState) => void;
  signal: AbortSignal;
}

const firstPauseMs = 500;
const maxPauseMs = 30_000;
/** The server writes every 25 s; after this long a silent connection counts as dead. */
const silenceMs = 60_000;
/** How long a visible page that lost its stream to newer pages waits before it opens another. */
const supersededPauseMs = 60_000;

/** The server refused the stream and asks to wait so long. */
class RefusedError extends Error {
  readonly retryAfterMs: number;

  constructor({ status, headers }: Response) {
    super(`Live updates answered ${status}.`);
    this.retryAfterMs = 1000 * (Number(headers.get("retry-after")) || 0);
  }
}

/** When this page was last sent events, else when it was opened; what it displays may be as old as that. By a clock that goes on while the device sleeps. */
let lastHeardAt = performance.timeOrigin;

/**
 * Follows `GET /api/events` until aborted: reconnects with growing, jittered pauses, not before the server allows it, and sends
 * the id of the last event, at first the age of the page's data. A page whose stream was superseded by those of newer pages waits until it
 * is visible again, so that pages do not take the streams from each other.
 */
export async function followEvents({ onTopic, onState, signal }: EventStreamOptions): Promise<void> {
  let lastId = "";
  let failures = 0;
  while (!signal.aborted) {
    let isSuperseded = false;
    let retryAfterMs = 0;
    try {
      await readStream({
        signal,
        lastId,
        onOpen: () => {
          failures = 0;
          onState("open");
        },
        onEvent: (id, event) => {
          lastId = id;
          isSuperseded ||= event === supersededEvent;
          if (isTopic(event)) onTopic(event);
        },
      });
    } catch (error) {
      if (signal.aborted) return;
      logError(error);
      if (error instanceof RefusedError) ({ retryAfterMs } = error);
    }
    if (signal.aborted) return;
    if (isSuperseded) {
      await untilVisible(supersededPauseMs, signal);
      continue;
    }
    failures += 1;
    // What changed before the first stream is told too, as after a break.
    lastId ||= "0";
    // The first break is often only a restart of the server: reported as lost from the second.
    onState(failures > 1 ? "lost" : "connecting");
    const pauseMs = Math.min(maxPauseMs, firstPauseMs * 2 ** failures) * (0.5 + Math.random() / 2);
    await pause(retryAfterMs + pauseMs, signal);
  }
}

interface ReadOptions {
  signal: AbortSignal;
  lastId: string;
  onOpen: () => void;
  onEvent: (id: string, event: string) => void;
}

async function readStream({ signal, lastId, onOpen, onEvent }: ReadOptions): Promise<void> {
  const token = await accessToken();
  if (token === undefined) throw new Error("No session for the live updates.");
  const silence = controllerWithin(signal);
  let alarm = setTimeout(() => silence.abort(), silenceMs);
  try {
    const response = await fetch("/api/events", {
      headers: {
        accept: "text/event-stream",
        authorization: `Bearer ${token}`,
        ...(lastId === "" ? { "x-data-age": String((Date.now() - lastHeardAt) / 1000) } : { "last-event-id": lastId }),
      },
      cache: "no-store",
      signal: silence.signal,
    });
    if (response.status === 401) await renewOrLoseSession();
    if (!response.ok || !response.body) throw new RefusedError(response);
    onOpen();
    const parse = createEventParser(({ id, event }) => onEvent(id, event));
    const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
    for (;;) {
      const { done, value } = await reader.read();
      if (done) return;
      clearTimeout(alarm);
      alarm = setTimeout(() => silence.abort(), silenceMs);
      parse(value);
      lastHeardAt = Date.now();
    }
  } finally {
    clearTimeout(alarm);
    // A page that stays open for weeks opens many streams within one signal.
    silence.abort();
  }
}

function isTopic(name: string): name is EventTopic {
  return (eventTopics as readonly string[]).includes(name);
}
