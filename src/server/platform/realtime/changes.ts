import pg from "pg";
import * as z from "zod";
import type { ConnectionSettings } from "../db/database.ts";

/** What the triggers of `migrations/0004-changes.sql` tell. */
const Change = z.object({
  topic: z.enum(["videos", "profile", "payment-requests", "session-end", "mail"]),
  id: z.string().nullish(),
  user_id: z.string().nullish(),
});
export type Change = z.infer<typeof Change>;

/** A gap: the connection was lost, so changes may have been missed. */
export type FeedEvent = Change | { topic: "gap" };

export interface ChangeFeed {
  subscribe(listener: (event: FeedEvent) => void): () => void;
  close(): Promise<void>;
}

/** LISTEN on one dedicated connection, reconnecting by itself; every return after a break is told as a gap. */
export async function listenForChanges(connection: ConnectionSettings, onError: (error: Error) => void): Promise<ChangeFeed> {
  const listeners = new Set<(event: FeedEvent) => void>();
  const tell = (event: FeedEvent): void => {
    for (const listener of listeners) listener(event);
  };
  let client: pg.Client | undefined;
  let closed = false;
  let retry: NodeJS.Timeout | undefined;

  const connect = async (): Promise<void> => {
    const next = new pg.Client({ ...connection, keepAlive: true });
    let lost = false;
    const onLost = (error?: Error): void => {
      if (lost || closed) return;
      lost = true;
      if (error) onError(error);
      retry = setTimeout(reconnect, 500);
    };
    next.on("error", onLost);
    next.on("end", () => onLost());
    next.on("notification", ({ payload }) => {
      const change = Change.safeParse(parseJson(payload ?? ""));
      if (change.success) tell(change.data);
    });
    await next.connect();
    await next.query("listen changes");
    client = next;
  };
  const reconnect = (): void => {
    connect().then(
      () => tell({ topic: "gap" }),
      (error: Error) => {
        onError(error);
        if (!closed) retry = setTimeout(reconnect, 1000);
      },
    );
  };

  await connect();
  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async close() {
      closed = true;
      clearTimeout(retry);
      await client?.end();
    },
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
