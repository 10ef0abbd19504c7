import { useSyncExternalStore } from "react";

/** Whether the light theme is shown. `public/theme.js` decides and tells; the prerendered page supposes the dark one. */
export function useIsLight(): boolean {
  return useSyncExternalStore(watchTheme, isLightShown, () => false);
}

function isLightShown(): boolean {
  const chosen = document.documentElement.dataset["theme"];
  return chosen === undefined ? matchMedia("(prefers-color-scheme: light)").matches : chosen === "light";
}

function watchTheme(onChange: () => void): () => void {
  document.addEventListener("themechange", onChange);
  return () => document.removeEventListener("themechange", onChange);
}
