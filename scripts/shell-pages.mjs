// @ts-check
import { readFileSync, rmSync } from "node:fs";
import { join } from "node:path";

/** The routes that the browser renders: the title until the page sets its own, and the modules and groups of modules that it will ask for. */
export const shellPages = [
  { route: "auth", title: "Sign in", modules: ["session", "features/auth/page.tsx"] },
  { route: "student", title: "My course", modules: ["session", "features/student/page.tsx"] },
  { route: "payment", title: "Payment", modules: ["session", "features/payment/page.tsx"] },
  // Served at /student/receipts/:id.
  { route: "receipt", title: "Receipt", modules: ["session", "features/receipt/page.tsx"] },
  // Served at /watch/:id.
  { route: "watch", title: "Lesson", modules: ["session", "features/watch/page.tsx"] },
  { route: "account", title: "Account", modules: ["session", "features/account/page.tsx"] },
  { route: "unsubscribe", title: "Unsubscribe", modules: ["features/unsubscribe/page.tsx"] },
  { route: "undo", title: "Undo a change", modules: ["features/undo/page.tsx"] },
  { route: "admin", title: "Admin", modules: ["session", "features/admin/page.tsx"] },
  // Served at /admin/preview.
  { route: "admin-preview", title: "Preview", modules: ["session", "features/student/preview-page.tsx"] },
  // Served at /admin/payments/:id.
  { route: "payment-request", title: "Payment request", modules: ["session", "features/admin/payments/request/page.tsx"] },
  // Served at /admin/users/:id.
  { route: "user", title: "Student", modules: ["session", "features/admin/users/page/page.tsx"] },
];

export const notFoundTitle = "Page not found";

/**
 * The shell under a title, with its route's chunks asked for at once instead of one after the other. Its styles come first: the first paint
 * waits for them, and over HTTP/1.1 only six requests run at a time.
 * @param {string} shell @param {string} title @param {readonly string[]} chunks
 */
export function shellPage(shell, title, chunks) {
  const links = chunks.filter((chunk) => !shell.includes(chunk)).map((chunk) => preload(chunk));
  const styles = /\s*<link rel="stylesheet"[^>]*>/.exec(shell)?.[0];
  if (styles === undefined) throw new Error("The shell has no styles.");
  return shell
    .replace(styles, "")
    .replace("<script", () => `${styles.trim()}\n    <script`)
    .replaceAll("%PAGE_TITLE%", title)
    .replace("</head>", () => `${links.join("")}</head>`);
}

/** @param {string} chunk */
const preload = (chunk) => `  <link rel="modulepreload" crossorigin href="/${chunk}" />\n  `;

/**
 * Reads and removes Vite's manifest; returns the chunks that modules and groups (scripts/web-chunks.mjs) are made of, with what those import.
 * @param {string} folder @returns {(names: readonly string[]) => string[]}
 */
export function takeManifest(folder) {
  const hidden = join(folder, ".vite");
  /** @type {Record<string, { file: string, name?: string, src?: string, imports?: string[] }>} */
  const manifest = JSON.parse(readFileSync(join(hidden, "manifest.json"), "utf8"));
  rmSync(hidden, { recursive: true });
  const groups = Object.entries(manifest).filter(([, { src }]) => src === undefined);
  const keyOfGroup = new Map(groups.map(([key, { name }]) => [name, key]));
  return (names) => {
    const keys = new Set(names.map((name) => (name in manifest ? name : (keyOfGroup.get(name) ?? name))));
    // The set grows while it is walked.
    for (const key of keys) {
      const chunk = manifest[key];
      if (!chunk) throw new Error(`The build has no chunk for ${key}.`);
      for (const imported of chunk.imports ?? []) keys.add(imported);
    }
    return [...keys].map((key) => manifest[key]?.file ?? "");
  };
}
