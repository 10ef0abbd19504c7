/** Bytes: enough for most replies we request, and small enough to hold many at once. */
const defaultMaxBytes = 64 * 1024;

const defaultMaxRedirects = 3;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

interface ExchangeOptions {
  /** Milliseconds for the whole exchange: redirects, headers and body. */
  timeoutMs: number;
  /** Ends the exchange early. */
  stop?: AbortSignal | undefined;
}

export interface BoundedFetchOptions extends ExchangeOptions {
  /** Sent with every redirect. */
  init?: Pick<RequestInit, "method" | "headers" | "body">;
  /** Bytes of the reply after decompression; 64 KiB unless given. */
  maxBytes?: number;
  /** 3 unless given. */
  maxRedirects?: number;
}

/** An outside service replied with another status than 2xx. */
export class StatusError extends Error {
  override name = "StatusError";
  readonly status: number;
  /** The text of the header `Retry-After`, if any. */
  readonly retryAfter: string | null;

  constructor(host: string, { status, headers }: Response) {
    super(`${host} replied with status ${status}.`);
    this.status = status;
    this.retryAfter = headers.get("retry-after");
  }
}

/** A reply is longer than was asked for at most. */
export class ReplyTooLargeError extends Error {
  override name = "ReplyTooLargeError";
}

/**
 * Returns the JSON reply of an outside service, whatever its content type. Throws `StatusError` unless the status is 2xx, `ReplyTooLargeError`, and
 * another error unless the JSON is complete within the timeout, the bytes and the redirects, none of them from https to http.
 */
export function fetchJson(url: URL, { init = {}, ...bounds }: BoundedFetchOptions): Promise<unknown> {
  const { maxBytes = defaultMaxBytes, maxRedirects = defaultMaxRedirects } = bounds;
  return within(bounds, async (signal) => {
    const reply = await follow(url, { ...init, signal, redirect: "manual" }, maxRedirects);
    await requireOk(reply, url.host);
    return JSON.parse(await readBody(reply, url.host, maxBytes)) as unknown;
  });
}

export interface PostOptions extends ExchangeOptions {
  headers: Record<string, string>;
  body: string;
}

/**
 * Posts to an outside service, whose reply is dropped. Throws `StatusError` unless the status is 2xx, also for a redirect, which is not
 * followed, and another error unless the status comes within the timeout.
 */
export function postOnce(url: URL, { headers, body, ...options }: PostOptions): Promise<void> {
  return within(options, async (signal) => {
    const reply = await fetch(url, { method: "POST", headers, body, signal, redirect: "manual" });
    await requireOk(reply, url.host);
    // Read, so that the connection can be used again. The service has taken the body, whatever becomes of its reply.
    await readBody(reply, url.host, defaultMaxBytes).catch(() => {});
  });
}

/** Runs an exchange, whose signal is aborted by the timeout and by `stop`. */
async function within<Result>(
  { timeoutMs, stop }: ExchangeOptions,
  run: (signal: AbortSignal) => Promise<Result>,
): Promise<Result> {
  const exchange = new AbortController();
  const end = (): void => exchange.abort(stop?.reason);
  // Not `AbortSignal.any`: in Node 20 a time limit that only it refers to is collected as garbage and never ends the exchange.
  const timer = setTimeout(() => exchange.abort(timedOut()), timeoutMs);
  stop?.addEventListener("abort", end);
  if (stop?.aborted) end();
  try {
    return await run(exchange.signal);
  } finally {
    clearTimeout(timer);
    stop?.removeEventListener("abort", end);
  }
}

async function requireOk(reply: Response, host: string): Promise<void> {
  if (reply.ok) return;
  await reply.body?.cancel();
  throw new StatusError(host, reply);
}

/** What `AbortSignal.timeout` throws. */
function timedOut(): DOMException {
  return new DOMException("The operation was aborted due to timeout", "TimeoutError");
}

async function follow(start: URL, init: RequestInit, maxRedirects: number): Promise<Response> {
  let url = start;
  for (let hops = 0; hops <= maxRedirects; hops += 1) {
    const reply = await fetch(url, init);
    const location = reply.headers.get("location");
    if (!redirectStatuses.has(reply.status) || location === null) return reply;
    await reply.body?.cancel();
    const next = new URL(location, url);
    if (url.protocol === "https:" && next.protocol !== "https:") throw new Error(`${url.host} redirects away from https.`);
    url = next;
  }
  throw new Error(`${start.host} redirects more than ${maxRedirects} times.`);
}

/** Stops the transfer at the first byte over the limit, so that an endless body uses no memory. */
async function readBody(reply: Response, host: string, maxBytes: number): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) throw new ReplyTooLargeError(`${host} replied with more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
