import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import * as z from "zod";
import { eventTopics } from "#domain/api/events";
import { connectionDefaults, connectSession, type ConnectionSettings } from "../db/connections.ts";
import { DatabaseStartError } from "../db/embedded/errors.ts";
import { lockKeys } from "../db/locks.ts";
import { errorLine } from "../logging/describe-error.ts";
import { parseJson } from "../parse-json.ts";

/** What the triggers of `migrations` send, the first of them in `0005-changes.sql`. */
const Change = z.object({
  topic: z.enum([...eventTopics, "session-end", "mail", "film", "slip", "flags", "news-mailing", "webhook"]),
  id: z.string().nullish(),
  user_id: z.string().nullish(),
});
export type Change = z.infer<typeof Change>;

/** The connection was lost, so changes may have been missed. */
export type FeedEvent = Change | { topic: "gap" };

export interface ChangeFeed {
  subscribe(listener: (event: FeedEvent) => void): () => void;
  /** False from the loss of the connection until the feed listens again. */
  isConnected(): boolean;
  close(): Promise<void>;
}

/** Also the heartbeat: it may be repeated, and it fails on a standby. */
const listenStatement = "listen changes";

/**
 * Milliseconds. A silently lost connection is noticed after at most `heartbeat` plus `timeout`. An outage is over once a connection
 * has lasted for `steady`.
 */
const defaultTiming = { heartbeat: 4000, timeout: 3000, firstPause: 250, maxPause: 1500, steady: 5000 };
type Timing = typeof defaultTiming;

/** Callbacks for other connections to the same server, which are dead too but do not report it. */
interface SilenceListener {
  /** A heartbeat failed: the network or the machine is down, or the server became a standby. */
  onSilence?: () => void;
  /** The server replies again after a failed heartbeat. */
  onSilenceOver?: () => void;
}

/**
 * Listens for changes on a separate connection. After a loss it reconnects, without a limit, and listeners receive a gap. `say`
 * receives one line when an outage begins and one when it ends. Throws when the first connection fails.
 */
export async function listenForChanges(
  connection: ConnectionSettings,
  say: (line: string) => void,
  options: Partial<Timing> & SilenceListener = {},
): Promise<ChangeFeed> {
  const timing: Timing = { ...defaultTiming, ...options };
  const listeners = new Set<(event: FeedEvent) => void>();
  const publish = (event: FeedEvent): void => {
    for (const listener of listeners) listener(event);
  };
  const closing = new AbortController();
  const { signal } = closing;
  let client: pg.Client | undefined = await listen(connection, connectionDefaults.connectionTimeoutMillis, timing, publish);

  const outage = outageLines(say, timing.steady);

  const keepListening = async (): Promise<void> => {
    while (client !== undefined) {
      const loss = await lossOf(client, timing.heartbeat, signal);
      // Not awaited: the connection may be dead.
      void client.end().catch(() => {});
      client = undefined;
      if (signal.aborted) return;
      outage.begin(loss.error);
      if (loss.isSilent) options.onSilence?.();
      client = await reconnect();
      if (client === undefined) return;
      outage.endLater();
      if (loss.isSilent) options.onSilenceOver?.();
      publish({ topic: "gap" });
    }
  };
  const reconnect = async (): Promise<pg.Client | undefined> => {
    for (let attempt = 0; !signal.aborted; attempt += 1) {
      const longest = Math.min(timing.firstPause * 2 ** attempt, timing.maxPause);
      // Random, so that processes do not all reconnect at the same time.
      await pause(longest * (0.5 + Math.random() / 2), undefined, { signal }).catch(() => {});
      const next = await listen(connection, timing.timeout, timing, publish).catch(() => undefined);
      if (next !== undefined) return next;
    }
    return undefined;
  };
  const running = keepListening();

  return {
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    isConnected: () => client !== undefined,
    async close() {
      closing.abort();
      await running;
      outage.close();
    },
  };
}

/** Writes two lines for an outage, however often its connections are lost again. */
function outageLines(say: (line: string) => void, steadyMs: number) {
  let isReported = false;
  let end: NodeJS.Timeout | undefined;
  return {
    begin(error: Error): void {
      clearTimeout(end);
      if (!isReported) say(`Change feed: connection lost, trying again until it is back. ${errorLine(error)}`);
      isReported = true;
    },
    endLater(): void {
      end = setTimeout(() => {
        isReported = false;
        say("Change feed: connected again.");
      }, steadyMs).unref();
    },
    close: (): void => clearTimeout(end),
  };
}

/** Opens a connection that listens, passes changes to `publish` and holds the lock of a running site. */
async function listen(
  connection: ConnectionSettings,
  connectMs: number,
  timing: Timing,
  publish: (event: FeedEvent) => void,
): Promise<pg.Client> {
  const limits = { connectionTimeoutMillis: connectMs, query_timeout: timing.timeout };
  const client = await connectSession({ ...connection, ...limits });
  client.on("notification", ({ payload }) => {
    const change = Change.safeParse(parseJson(payload ?? ""));
    if (change.success) publish(change.data);
  });
  try {
    await holdRunningSite(client, timing.timeout);
    await client.query(listenStatement);
    return client;
  } catch (error) {
    void client.end().catch(() => {});
    throw error;
  }
}

/** Throws a `DatabaseStartError` where a restoration or `npm run secrets:renew` holds the lock. */
async function holdRunningSite(client: pg.Client, timeoutMs: number): Promise<void> {
  // Shorter than that of a query, so that the server says what the wait was for.
  await client.query(`set lock_timeout = ${timeoutMs / 2}`);
  try {
    await client.query("select pg_advisory_lock_shared($1)", [lockKeys.runningSite]);
  } catch (error) {
    if ((error as pg.DatabaseError).code !== "55P03") throw error;
    const line = "The database is being restored, or its secrets renewed. Start the site once that has ended.";
    throw new DatabaseStartError(line, { cause: error });
  }
}

interface Loss {
  error: Error;
  /** True after a failed heartbeat, false when the connection was closed. */
  isSilent: boolean;
}

/** Resolves with the reason once the connection is lost or a heartbeat fails, or when the feed is closed. */
function lossOf(client: pg.Client, heartbeatMs: number, signal: AbortSignal): Promise<Loss> {
  return new Promise<Loss>((resolve) => {
    let heartbeat: NodeJS.Timeout;
    const beatLater = (): void => {
      heartbeat = setTimeout(
        () => void client.query(listenStatement).then(beatLater, (error: Error) => lose(error, true)),
        heartbeatMs,
      ).unref();
    };
    const close = (): void => lose(new Error("Closed"));
    const lose = (error: Error, isSilent = false): void => {
      clearTimeout(heartbeat);
      signal.removeEventListener("abort", close);
      resolve({ error, isSilent });
    };
    beatLater();
    client.once("error", (error: Error) => lose(error));
    client.once("end", () => lose(new Error("Connection terminated")));
    signal.addEventListener("abort", close);
    if (signal.aborted) close();
  });
}
