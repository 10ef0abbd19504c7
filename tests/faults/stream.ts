import { pause } from "./client.ts";

export interface Stream {
  /** Events received so far, over all connections. */
  events(): number;
  close(): void;
}

/** Holds `GET /api/events` open as a browser does: a stream that ends is opened again. */
export function holdStream(url: string, token: () => string): Stream {
  const closing = new AbortController();
  let events = 0;
  const read = async (): Promise<void> => {
    const headers = { authorization: `Bearer ${token()}`, "last-event-id": "1" };
    const reply = await fetch(`${url}/api/events`, { headers, signal: closing.signal });
    if (!reply.ok || !reply.body) return reply.body?.cancel();
    for await (const piece of reply.body) events += Buffer.from(piece).toString().split("event: ").length - 1;
  };
  const hold = async (): Promise<void> => {
    while (!closing.signal.aborted) {
      await read().catch(() => {});
      await pause(500);
    }
  };
  void hold();
  return { events: () => events, close: () => closing.abort() };
}
