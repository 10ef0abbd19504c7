/** Bytes: enough for every reply we request, and small enough to hold many at once. */
const maxBytes = 64 * 1024;

const maxRedirects = 3;

const redirectStatuses = new Set([301, 302, 303, 307, 308]);

export interface BoundedFetchOptions {
  /** Milliseconds for the whole exchange: redirects, headers and body. */
  timeoutMs: number;
  /** Ends the exchange early. */
  stop?: AbortSignal | undefined;
  /** Sent with every redirect. */
  init?: Pick<RequestInit, "method" | "headers" | "body">;
}

/**
 * Returns the JSON reply of an outside service, whatever its content type. Throws unless the status is 2xx and the JSON is
 * complete within the timeout, 64 KiB (after decompression) and three redirects, none of them from https to http.
 */
export async function fetchJson(url: URL, { timeoutMs, stop, init = {} }: BoundedFetchOptions): Promise<unknown> {
  const signal = AbortSignal.any([AbortSignal.timeout(timeoutMs), ...(stop ? [stop] : [])]);
  const reply = await follow(url, { ...init, signal, redirect: "manual" });
  if (!reply.ok) {
    await reply.body?.cancel();
    throw new Error(`${url.host} replied with status ${reply.status}.`);
  }
  return JSON.parse(await readBody(reply, url.host));
}

async function follow(start: URL, init: RequestInit): Promise<Response> {
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
async function readBody(reply: Response, host: string): Promise<string> {
  const pieces: Uint8Array[] = [];
  let length = 0;
  // Leaving the loop early cancels the stream, which closes the connection.
  for await (const piece of (reply.body ?? []) as AsyncIterable<Uint8Array>) {
    length += piece.length;
    if (length > maxBytes) throw new Error(`${host} replied with more than ${maxBytes} bytes.`);
    pieces.push(piece);
  }
  return Buffer.concat(pieces).toString("utf8");
}
