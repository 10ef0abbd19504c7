// @ts-check
// Runs before the first paint, so that a chosen theme never flashes, and works the switch, which must answer before React is there.
(() => {
  const key = "theme";
  const root = document.documentElement;
  const system = matchMedia("(prefers-color-scheme: light)");
  /** @type {NodeListOf<HTMLMetaElement>} */
  const metas = document.querySelectorAll('meta[name="theme-color"]');
  const bars = [...metas].map((meta) => ({
    meta,
    of: meta.media.includes("light") ? "light" : "dark",
    color: meta.content,
  }));
  /** @type {"dark" | "light" | undefined} */
  let choice;

  const ofSystem = () => (system.matches ? "light" : "dark");

  function show() {
    if (choice) root.dataset["theme"] = choice;
    else delete root.dataset["theme"];
    for (const { meta, of, color } of bars) meta.content = bars.find((bar) => bar.of === (choice ?? of))?.color ?? color;
    mark();
    document.dispatchEvent(new Event("themechange"));
  }

  function mark() {
    const isLight = (choice ?? ofSystem()) === "light";
    for (const button of document.querySelectorAll("[data-theme-switch]")) button.setAttribute("aria-pressed", String(isLight));
  }

  function remembered() {
    try {
      const stored = localStorage.getItem(key);
      return stored === "dark" || stored === "light" ? stored : undefined;
    } catch {
      return undefined;
    }
  }

  // A choice equal to the system's theme is not stored: the system is followed again.
  function remember() {
    try {
      if (choice) localStorage.setItem(key, choice);
      else localStorage.removeItem(key);
    } catch {
      // Storage is closed: the choice holds as long as the page.
    }
  }

  document.addEventListener("click", (event) => {
    if (!(event.target instanceof Element) || event.target.closest("[data-theme-switch]") === null) return;
    const next = (choice ?? ofSystem()) === "light" ? "dark" : "light";
    choice = next === ofSystem() ? undefined : next;
    remember();
    show();
  });
  addEventListener("storage", (event) => {
    if (event.key !== key && event.key !== null) return;
    choice = remembered();
    show();
  });
  system.addEventListener("change", show);
  document.addEventListener("DOMContentLoaded", mark);

  choice = remembered();
  show();
})();
