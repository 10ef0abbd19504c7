/**
 * Who may import whom (ARCHITECTURE.md). Each module boundary lists its files and what they may not import. Files are paths
 * from the project's folder; an import is such a path or a package's name as written. Tests are exempt unless `holdsTests` is set.
 */
const boundaries = [
  {
    name: "the domain imports neither server nor web",
    from: /^src\/domain\//,
    refuses: (target) => /^src\/(server|web)\//.test(target),
    holdsTests: true,
  },
  {
    name: "the server never imports the web",
    from: /^src\/server\//,
    refuses: (target) => target.startsWith("src/web/"),
    holdsTests: true,
  },
  {
    name: "the web never imports the server",
    from: /^src\/web\//,
    refuses: (target) => target.startsWith("src/server/"),
    holdsTests: true,
  },
  {
    name: "the domain is pure: itself, zod/mini, pure libraries of numbers, encodings and dates and, in api, oRPC's contract builder",
    from: /^src\/domain\/(api\/)?/,
    refuses: (target, [, api]) =>
      !target.startsWith("src/domain/") &&
      target !== "zod/mini" &&
      !/^(big\.js|temporal-polyfill|@noble\/hashes\/(sha[23]|legacy)\.js|@scure\/(base|bip32))$/.test(target) &&
      !(api && target === "@orpc/contract"),
  },
  {
    name: "the browser has zod/mini only: full zod trips a strict content policy",
    from: /^src\/web\//,
    refuses: (target) => target === "zod" || (target.startsWith("zod/") && target !== "zod/mini"),
  },
  {
    name: "the browser has nothing of Node; only the prerender script runs there",
    from: /^src\/web\/(?!prerender\.)/,
    refuses: (target) => target.startsWith("node:"),
  },
  {
    name: "a server feature reaches another only through its service.ts",
    from: /^src\/server\/features\/([^/]+)\//,
    refuses: (target, [, own]) => {
      const other = /^src\/server\/features\/([^/]+)\/(.*)$/.exec(target);
      return other !== null && other[1] !== own && other[2] !== "service.ts";
    },
  },
  {
    name: "a server feature's service.ts is its door for others: its own files import the actions",
    from: /^src\/server\/features\/([^/]+)\//,
    refuses: (target, [, own]) => target === `src/server/features/${own}/service.ts`,
    holdsTests: true,
  },
  {
    name: "the server's platform never imports features, nor what composes them",
    from: /^src\/server\/(platform\/|(dependencies|config|settings)\.ts$)/,
    refuses: (target) => /^src\/server\/(features\/|commands\/|(app|main|sample-course)\.ts$)/.test(target),
  },
  {
    name: "routes hold no SQL",
    from: /^src\/server\/.*\broutes\.ts$/,
    refuses: (target) =>
      /^(drizzle-orm|pg)(\/|$)/.test(target) || target.startsWith("src/server/platform/db/") || /\bqueries\.ts$/.test(target),
  },
  {
    name: "services hold no HTTP",
    // What stands in a feature and is not its routes belongs to its service.
    from: /^src\/server\/features\/[^/]+\/(?!([a-z-]+-)?routes\.ts$)/,
    refuses: (target) => /^(@?fastify|@orpc)(\/|$)/.test(target) || /^(node:)?https?2?$/.test(target),
  },
  {
    name: "a web feature reaches no other web feature: what several use is an entity",
    from: /^src\/web\/features\/([^/]+)\//,
    refuses: (target, [, own]) => {
      const other = /^src\/web\/features\/([^/]+)\//.exec(target);
      return other !== null && other[1] !== own;
    },
  },
  {
    name: "the web's entities import no feature",
    from: /^src\/web\/entities\//,
    refuses: (target) => target.startsWith("src/web/features/"),
  },
  {
    name: "the web's ui and platform import neither features nor entities",
    from: /^src\/web\/(ui|platform)\//,
    refuses: (target) => /^src\/web\/(features|entities)\//.test(target),
  },
  {
    name: "the web's platform imports no ui: ui imports platform",
    from: /^src\/web\/platform\//,
    refuses: (target) => target.startsWith("src/web/ui/"),
  },
  {
    name: "the web's ui imports nothing of the domain",
    from: /^src\/web\/ui\//,
    refuses: (target) => target.startsWith("src/domain/"),
  },
  {
    name: "the web's platform imports of the domain only the contract as a whole, its errors and its events",
    from: /^src\/web\/platform\//,
    refuses: (target) =>
      target.startsWith("src/domain/") &&
      !/^src\/domain\/(errors\/(messages|input-errors)|api\/(contract|events|auth))\.ts$/.test(target),
  },
  {
    name: "the demo stands in for the server: it imports only the shape of its calls, and what draws ids",
    from: /^src\/web\/demo\//,
    refuses: (target) =>
      target.startsWith("src/web/") && !/^src\/web\/(demo\/|platform\/(api-shape|browsers\/random-uuid)\.ts$)/.test(target),
  },
];

/** Returns the name of the boundary that an import breaks, or undefined. */
export function forbiddenImport(file, target) {
  const isTest = /\.test\.tsx?$/.test(file);
  const broken = boundaries.find(
    ({ from, refuses, holdsTests }) => (holdsTests || !isTest) && from.test(file) && refuses(target, from.exec(file)),
  );
  return broken?.name;
}
