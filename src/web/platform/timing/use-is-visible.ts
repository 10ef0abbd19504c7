import { useSyncExternalStore } from "react";

/** Returns whether the page is in the foreground. */
export function useIsVisible(): boolean {
  return useSyncExternalStore(onVisibilityChange, () => document.visibilityState === "visible");
}

function onVisibilityChange(listener: () => void): () => void {
  document.addEventListener("visibilitychange", listener);
  return () => document.removeEventListener("visibilitychange", listener);
}
