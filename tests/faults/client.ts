export interface Reply {
  /** 0 when no answer came. */
  status: number;
  body: any;
  headers: Headers;
  ms: number;
}

/** A reply that a visitor should not have seen, or none at all. */
export interface Mishap {
  /** When it was asked, as `Date.now()`. */
  at: number;
  what: string;
  status: number;
}

/** What all clients of one site met. */
export interface Journal {
  replies: number;
  /** Replies of 2xx. */
  acknowledged: number;
  /** No answer, or a status of 500 and above. */
  mishaps: Mishap[];
  /** Refusals that no fault excuses. */
  wrongs: string[];
}

export const newJournal = (): Journal => ({ replies: 0, acknowledged: 0, mishaps: [], wrongs: [] });

export type Ask = (
  method: string,
  path: string,
  body?: unknown,
  options?: { token?: string; headers?: Record<string, string> },
) => Promise<Reply>;

const patienceMs = 30_000;

/** Asks a site, or whichever `url` returns each time, and notes what goes wrong in the journal; never throws. */
export function asker(url: string | (() => string), journal: Journal): Ask {
  return async (method, path, body, { token, headers = {} } = {}) => {
    const origin = typeof url === "string" ? url : url();
    const isRaw = body instanceof FormData || body instanceof Uint8Array;
    const at = Date.now();
    const started = performance.now();
    const reply = await fetch(origin + path, {
      method,
      signal: AbortSignal.timeout(patienceMs),
      headers: {
        ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
        ...(body === undefined || isRaw ? {} : { "content-type": "application/json" }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: (isRaw ? body : JSON.stringify(body)) as BodyInit }),
    })
      .then(async (answer) => ({ status: answer.status, headers: answer.headers, body: parse(await answer.text()) }))
      .catch((error: Error) => ({ status: 0, headers: new Headers(), body: causeOf(error) }));
    const ms = performance.now() - started;
    journal.replies += 1;
    if (reply.status >= 200 && reply.status < 300) journal.acknowledged += 1;
    if (reply.status === 0 || reply.status >= 500) {
      const text = typeof reply.body === "string" ? reply.body.slice(0, 120) : JSON.stringify(reply.body);
      journal.mishaps.push({ at, status: reply.status, what: `${method} ${path} ${reply.status} ${text}` });
    }
    return { ...reply, ms };
  };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return text;
  }
}

export const pause = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms));

/** Polls until a condition holds; false when it does not within the time, in milliseconds. */
export async function isSoon(condition: () => Promise<boolean> | boolean, withinMs: number): Promise<boolean> {
  const deadline = Date.now() + withinMs;
  while (!(await condition())) {
    if (Date.now() > deadline) return false;
    await pause(50);
  }
  return true;
}

/** The text of an error of `fetch`, which keeps the reason in its cause. */
export const causeOf = (error: Error): string => (error.cause instanceof Error ? error.cause.message : error.message);
