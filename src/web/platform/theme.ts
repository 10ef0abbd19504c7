import { useSyncExternalStore } from "react";

/** Returns whether the light theme is on. `public/theme.js` decides; the prerendered page assumes the dark theme. */
export function useIsLight(): boolean {
  return useSyncExternalStore(watchTheme, isLight, () => false);
}

function isLight(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? matchMedia("(prefers-color-scheme: light)").matches : chosen === "light";
}

function watchTheme(onChange: () => void): () => void {
  document.addEventListener("themechange", onChange);
  return () => document.removeEventListener("themechange", onChange);
}
