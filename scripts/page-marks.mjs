// @ts-check
// The marks that built pages keep for the server, filled in where there is none: for the demo and the development server.
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parseEnv } from "node:util";

/** @typedef {{ siteName: string, origin: string, port: string }} SiteSettings */

/**
 * Returns settings of the site as the server reads them: from `.env` of the folder too, and an empty one is not set.
 * @param {string} folder @param {NodeJS.ProcessEnv} environment @returns {SiteSettings}
 */
export function readSiteSettings(folder, environment = process.env) {
  const envFile = join(folder, ".env");
  const all = { ...(existsSync(envFile) && parseEnv(readFileSync(envFile, "utf8"))), ...environment };
  /** @param {string} name */
  const textOf = (name) => all[name]?.trim() ?? "";
  return {
    siteName: textOf("SITE_NAME") || "Pipwright",
    origin: textOf("PUBLIC_URL").replace(/\/+$/, ""),
    port: textOf("PORT") || "3000",
  };
}

/**
 * Fills in the name and the address as src/server/platform/http/pages/page-texts.ts does.
 * @param {string} text @param {{ siteName: string, origin: string }} settings
 */
export function fillInSite(text, { siteName, origin }) {
  return text
    .replaceAll("%SITE_NAME%", () => escapeHtml(siteName))
    .replaceAll("%JSON_SITE_NAME%", () => escapeJson(siteName))
    .replaceAll("%ORIGIN%", () => escapeHtml(origin));
}

/** @param {string} text */
const escapeHtml = (text) => text.replaceAll(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);

/** @param {string} text */
const escapeJson = (text) => JSON.stringify(text).slice(1, -1).replaceAll("<", "\\u003c");
