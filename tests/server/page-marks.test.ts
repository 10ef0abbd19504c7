import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { FastifyRequest } from "fastify";
import { afterEach, beforeEach, expect, it } from "vitest";
import { pageText } from "#server/platform/http/pages/page-texts";
import { fillInSite, readSiteSettings } from "../../scripts/page-marks.mjs";

let folder: string;
beforeEach(() => void (folder = mkdtempSync(join(tmpdir(), "pipwright-marks-"))));
afterEach(() => rmSync(folder, { recursive: true }));

// DEMO-1
it.each(["Pipwright", 'Say "hello"', "a < b & c > d", "It's", "$$ & $& $` $'", "</script><script>", "back\\slash"])(
  "the demo has the name %s as the server would write it",
  (siteName) => {
    const template =
      '<title>%SITE_NAME%</title><meta content="%SITE_NAME%" /><script>{"name":"%JSON_SITE_NAME%"}</script>%ORIGIN%/';
    writeFileSync(join(folder, "page.html"), template);
    const origin = "https://course.example.com";
    const site = { siteName, publicUrl: origin, links: { contacts: [], footer: {} } };
    const request = { headers: {} } as FastifyRequest;
    const served = pageText(folder, "page.html", "text/html", site)(request).bodies.identity.toString();
    expect(fillInSite(template, { siteName, origin })).toBe(served);
  },
);

it("reads .env as the server does: the environment first, an empty one as none", () => {
  const unset = { siteName: "Pipwright", origin: "", port: "3000" };
  expect(readSiteSettings(folder, {})).toEqual(unset);
  expect(readSiteSettings(folder, { SITE_NAME: "", PUBLIC_URL: "", PORT: " " })).toEqual(unset);
  writeFileSync(join(folder, ".env"), 'SITE_NAME="My course"\nPUBLIC_URL=https://a.example/\nPORT=4000\n');
  expect(readSiteSettings(folder, { PORT: "5000" })).toEqual({
    siteName: "My course",
    origin: "https://a.example",
    port: "5000",
  });
  expect(readSiteSettings(folder, { SITE_NAME: "" }).siteName).toBe("Pipwright");
});
