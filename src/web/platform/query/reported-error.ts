import { useSyncExternalStore } from "react";
import type { ErrorCode } from "#domain/errors/messages";
import { messageOf } from "../errors.ts";

/** The last error of a page that shows errors in one banner; kept only while such a page is mounted. */
let text: string | undefined;
const listeners = new Set<() => void>();

function setText(next: string | undefined): void {
  text = next;
  for (const listener of listeners) listener();
}

/** Shows an error in the page's banner: the server's text, otherwise that of `fallback`. */
export function reportError(thrown: unknown, fallback: ErrorCode): void {
  if (listeners.size > 0) setText(messageOf(thrown, fallback));
}

export function dismissError(): void {
  setText(undefined);
}

/** Returns the text of the last reported error, undefined once dismissed. */
export function useReportedError(): string | undefined {
  return useSyncExternalStore(subscribe, () => text);
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) text = undefined;
  };
}
