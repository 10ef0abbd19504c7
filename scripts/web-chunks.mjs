// @ts-check
const shared = /\/(src\/(web\/(ui|platform|entities)|domain)|node_modules\/(lucide-react|@tanstack))\/.*\.(js|mjs|tsx?)$/;

/**
 * Which modules share a file: few files, because a phone waits for each in turn over HTTP/1.1. First what every page needs, then what
 * every page behind the sign-in needs, then small parts of several pages. The rest is left to the bundler.
 * @type {import("vite").Rolldown.CodeSplittingGroup[]}
 */
export const chunkGroups = [
  // Alone, because the landing page needs it and nothing else.
  { name: "preload", test: "vite/preload-helper" },
  { name: "app", test: "/src/web/main.tsx" },
  { name: "session", test: /\/src\/web\/entities\/session\/(session-layout|guards)\.tsx$/ },
  {
    debugName: "parts",
    name: (id, context) => (isLight(id, context) ? "parts" : null),
    test: shared,
    minShareCount: 3,
  },
];

/**
 * Dialogs and menus are heavy, so pages without one do not load them.
 * @param {string} id @param {import("vite").Rolldown.ChunkingContext} context @returns {boolean}
 */
function isLight(id, context) {
  const seen = new Set([id]);
  for (const each of seen) {
    if (each.includes("/@base-ui/")) return false;
    for (const next of context.getModuleInfo(each)?.importedIds ?? []) seen.add(next);
  }
  return true;
}
