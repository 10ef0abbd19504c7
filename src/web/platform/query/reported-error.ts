import { useSyncExternalStore } from "react";
import type { ErrorCode } from "#domain/errors/messages";
import { messageOf } from "../errors.ts";

/** The last error of a page that shows errors in one banner; kept only while such a page is mounted. */
let current: { text: string; source: string } | undefined;
const listeners = new Set<() => void>();

function setCurrent(next: typeof current): void {
  current = next;
  for (const listener of listeners) listener();
}

/** All actions as one source: the next action that succeeds removes the error of the last. */
const action = "action";

/** Shows an error in the page's banner: the server's text, otherwise that of `fallback`. `source` is a query, or an action. */
export function reportError(thrown: unknown, fallback: ErrorCode, source = action): void {
  if (listeners.size > 0) setCurrent({ text: messageOf(thrown, fallback), source });
}

/** Removes the error of a query or an action that has succeeded since (KEYS-4). */
export function endError(source = action): void {
  if (current?.source === source) setCurrent(undefined);
}

export function dismissError(): void {
  setCurrent(undefined);
}

/** Returns the text of the last reported error, undefined once dismissed. */
export function useReportedError(): string | undefined {
  return useSyncExternalStore(subscribe, () => current?.text);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) current = undefined;
  };
}
