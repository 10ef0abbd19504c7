import { MutationCache, QueryCache, QueryClient, type Query } from "@tanstack/react-query";
import type { EventTopic } from "#domain/api/events";
import type { ErrorCode } from "#domain/errors/messages";
import { isTransient } from "../errors.ts";
import { endError, reportError } from "./reported-error.ts";

interface Meta extends Record<string, unknown> {
  /** Reports every error to `useReportedError`; the code's text is used where the server sent none. */
  reportAs?: ErrorCode;
}

declare module "@tanstack/react-query" {
  interface Register {
    queryMeta: Meta & {
      /** The server's events that make the data stale. */
      staleAfter?: readonly EventTopic[];
      /** Milliseconds between two refetches after events, for data that many events make stale. */
      pauseMs?: number;
    };
    mutationMeta: Meta & {
      /** The page displays what it changes by its reply: events that come meanwhile, which are mostly its own, wait until a second has passed without another. */
      holdsEvents?: boolean;
    };
  }
}

function reportIfAsked(error: Error, meta: Meta | undefined, source?: string): void {
  if (meta?.reportAs) reportError(error, meta.reportAs, source);
}

/** Queries are retried when that may help; mutations never, because only the user can decide to repeat them. */
export const queryClient = new QueryClient({
  queryCache: new QueryCache({
    onError: (error, query) => {
      // Of several failures in a row the first: one that the user has dismissed does not come back.
      if (!failed.has(query)) reportIfAsked(error, query.meta, query.queryHash);
      if (isTransient(error)) rereadLater(query);
    },
    onSuccess: (_data, query) => {
      endError(query.queryHash);
      if (!isFurtherPage(query)) failed.delete(query);
    },
    onSettled: (_data, _error, query) => overtaken.delete(query) && invalidate(new Set([query])),
  }),
  mutationCache: new MutationCache({
    onError: (error, _values, _result, { meta }) => reportIfAsked(error, meta),
    onSuccess: () => endError(),
  }),
  defaultOptions: {
    queries: {
      staleTime: 30_000,
      retry: (failures, error) => failures < 2 && isTransient(error),
    },
    mutations: { networkMode: "always", retry: false },
  },
});

/**
 * Milliseconds: held events are followed once no change has been made for `holdMs`, or once the first has waited `maxHoldMs`. Reading the
 * lists takes as long as a decision, so it should not come between two decisions.
 */
const holdMs = 1000;
const maxHoldMs = 30_000;

/** Topics of events that wait. */
const held = new Set<EventTopic>();
let heldSince = 0;
let releaseTimer: ReturnType<typeof setTimeout> | undefined;

/** Marks every query stale that names the topic in its `staleAfter`, and refetches those on the page. */
export function invalidateAfter(topic: EventTopic): void {
  const isHolding = queryClient.isMutating({ predicate: ({ meta }) => meta?.holdsEvents === true }) > 0;
  if (!isHolding && held.size === 0) return invalidateAll(new Set([topic]));
  if (isHolding) putOff();
  held.add(topic);
}

function putOff(): void {
  if (held.size === 0) heldSince = Date.now();
  clearTimeout(releaseTimer);
  releaseTimer = setTimeout(release, Math.min(holdMs, heldSince + maxHoldMs - Date.now()));
}

function release(): void {
  const topics = new Set(held);
  held.clear();
  invalidateAll(topics);
}

function invalidateAll(topics: ReadonlySet<EventTopic>): void {
  const stale = queryClient.getQueryCache().findAll({
    predicate: ({ meta }) => meta?.staleAfter?.some((topic) => topics.has(topic)) ?? false,
  });
  follow(stale.filter((query) => !waits(query)));
}

/** Queries that became stale during a read that goes on. */
const overtaken = new WeakSet<object>();

/** Marks queries stale after an event, and refetches those on the page. */
function follow(due: readonly Query[]): void {
  // A first read, or one of a list that is not on the page, is not begun anew and may have been answered before: at its end the list is marked again.
  for (const query of due) {
    const goesOn = query.state.data === undefined || !query.isActive();
    if (goesOn && query.state.fetchStatus !== "idle") overtaken.add(query);
  }
  invalidate(new Set(due));
}

/** Marks queries stale, and refetches those on the page. They are chosen before, since the predicate is asked twice of each. */
function invalidate(due: ReadonlySet<unknown>): void {
  void queryClient.invalidateQueries({ predicate: (query) => due.has(query) });
}

/** Queries that are in the pause after an event, and whether another event came meanwhile. */
const pauses = new Map<string, boolean>();

/** Returns whether a query is in its pause, at whose end it is refetched; begins one where it is not. */
function waits({ queryHash, meta }: Query): boolean {
  if (meta?.pauseMs === undefined) return false;
  const isPaused = pauses.has(queryHash);
  pauses.set(queryHash, isPaused);
  if (!isPaused) setTimeout(() => endPause(queryHash), meta.pauseMs);
  return isPaused;
}

function endPause(hash: string): void {
  const isStale = pauses.get(hash) === true;
  pauses.delete(hash);
  if (isStale) follow(queryClient.getQueryCache().findAll({ predicate: ({ queryHash }) => queryHash === hash }));
}

/**
 * Milliseconds at most, and half of it at least, until data that could not be read for a while is read again: not by all pages at once. They double
 * with each failure.
 */
const rereadMs = 20_000;
const maxRereadMs = 320_000;

/** How often the last reads of a query have failed. Its status does not tell: what a page writes into the data ends an error too. */
const failed = new WeakMap<object, number>();

/** Queries that wait to be read again. */
const waiting = new WeakSet<object>();

const isFurtherPage = ({ state }: Query<unknown, unknown>): boolean => state.fetchMeta?.fetchMore !== undefined;

/**
 * Reads old data on the page again after a read that failed, so that a change is not lost with it (LIVE-1). Lists have a button that reads their
 * first or a further page again, which would leave under the user's hand.
 */
function rereadLater(query: Query<unknown, unknown>): void {
  if (query.state.data === undefined || isFurtherPage(query) || waiting.has(query)) return;
  const failures = failed.get(query) ?? 0;
  failed.set(query, failures + 1);
  waitToReread(query, Math.min(rereadMs * 2 ** failures, maxRereadMs));
}

function waitToReread(query: Query<unknown, unknown>, ms: number): void {
  waiting.add(query);
  setTimeout(
    () => {
      waiting.delete(query);
      if (!failed.has(query) || query.state.fetchStatus !== "idle") return;
      if (query.state.status === "error" && isFurtherPage(query)) waitToReread(query, ms);
      else invalidate(new Set([query]));
    },
    ms * (0.5 + Math.random() / 2),
  );
}
