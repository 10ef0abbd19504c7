import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { brotliCompressSync, gzipSync } from "node:zlib";
import { arrivals } from "#server/platform/http/pages/arrival-text";
import { pages } from "#server/platform/http/pages/web-app";

const script = "console.log('a chunk');\n".repeat(50);
const page =
  '<title>%SITE_NAME%</title><link rel="canonical" href="%ORIGIN%/" /><script type="application/ld+json">{"name":"%JSON_SITE_NAME%"}</script>' +
  '<meta name="site-links" content="%SITE_LINKS%" /><a href="%LINK_terms%">Terms</a><a href="%LINK_privacy%">Privacy</a>' +
  '<a href="%LINK_contact%">Contact</a>';

/** Writes the smallest `dist/web` that can be served, with the asset `assets/chunk.js`; returns its folder. */
export function writeBuiltWeb(projectDir: string): string {
  const folder = join(projectDir, "dist/web");
  mkdirSync(join(folder, "assets"), { recursive: true });
  for (const file of ["shell.html", ...pages.map((served) => served.file)]) writeFileSync(join(folder, file), page);
  for (const file of [...arrivals.values()].flatMap(({ files }) => files))
    writeFileSync(join(folder, `${file}.html`), `${page}<main>${file}<p>Write to <a href="">%CONTACTS%</a>.</p></main>`);
  writeFileSync(join(folder, "robots.txt"), "Sitemap: %ORIGIN%/sitemap.xml");
  writeFileSync(join(folder, "sitemap.xml"), "<loc>%ORIGIN%/</loc>");
  writeFileSync(join(folder, "site.webmanifest"), '{"name":"%JSON_SITE_NAME%"}');
  writeFileSync(join(folder, "assets/chunk.js"), script);
  writeFileSync(join(folder, "assets/chunk.js.br"), brotliCompressSync(script));
  writeFileSync(join(folder, "assets/chunk.js.gz"), gzipSync(script));
  return folder;
}
