import { readdirSync, readFileSync } from "node:fs";
import { copyFile } from "node:fs/promises";
import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { build } from "vite";
import { axeFindings, expectAccessible } from "../support/browser/axe.ts";
import { startStaticHost, type StaticHost } from "../support/network/static-host.ts";

const project = join(import.meta.dirname, "../..");
const folder = join(project, ".cache/styleguide");
const web = join(project, "src/web");

let host: StaticHost;
test.beforeAll(async () => {
  await build({
    configFile: join(project, "vite.config.ts"),
    mode: "styleguide",
    root: web,
    logLevel: "warn",
    build: { outDir: folder, emptyOutDir: true, rolldownOptions: { input: join(web, "shell.html") } },
  });
  await copyFile(join(folder, "shell.html"), join(folder, "404.html"));
  host = await startStaticHost(folder);
});
test.afterAll(() => host?.close());

test("axe finds nothing on any part in any state, in either theme", async ({ page }) => {
  await page.emulateMedia({ reducedMotion: "reduce" });
  await page.goto(`${host.origin}/styleguide`);
  await page.getByRole("heading", { name: "Styleguide" }).waitFor();
  await expectAccessible(page, "styleguide");
  await page.getByRole("button", { name: "Open a toast" }).click();
  await page.getByRole("dialog", { name: "Done" }).hover();
  await expectAccessible(page, "styleguide, toast");
  await page.getByRole("button", { name: "Dismiss" }).last().click();
  await page.getByRole("button", { name: "Open a sheet" }).click();
  await page.getByRole("dialog", { name: "A sheet" }).waitFor();
  await expectAccessible(page, "styleguide, sheet");
  await page.keyboard.press("Escape");
  await page.getByRole("button", { name: "Open the dialog" }).click();
  await page.getByRole("alertdialog").waitFor();
  await expectAccessible(page, "styleguide, dialog");
});

test("axe finds what fails in one theme or at one width only", async ({ page }) => {
  const pale = [
    ["dark", "min-width: 1000px", "wide-dark"],
    ["light", "min-width: 1000px", "wide-light"],
    ["light", "max-width: 500px", "phone-light"],
    ["dark", "max-width: 500px", "phone-dark"],
  ].map(([theme, width, id]) => `@media (prefers-color-scheme: ${theme}) and (${width}) { #${id} { color: #ddd; } }`);
  const texts = ["wide-dark", "wide-light", "phone-light", "phone-dark"].map((id) => `<p id="${id}">Text</p>`);
  const nameless = "button { display: none; } @media (max-width: 500px) { button { display: block; } }";
  await page.setContent(`<!doctype html><html lang="en"><head><title>Planted</title>
    <meta name="viewport" content="width=device-width" />
    <style>body { background: #fff; color: #000; } ${pale.join(" ")} ${nameless}</style></head>
    <body><main>${texts.join("")}<button></button></main></body></html>`);

  const found = (await axeFindings(page)).map((finding) => /^.+? at \S+(?=:)/.exec(finding)?.[0]);

  expect(new Set(found)).toEqual(
    new Set([
      "1440 px, dark: color-contrast at #wide-dark",
      "1440 px, light: color-contrast at #wide-light",
      "390 px, dark: button-name at button",
      "390 px, dark: color-contrast at #phone-dark",
      "390 px, light: color-contrast at #phone-light",
    ]),
  );
});

test("shows every part there is", () => {
  const pages = join(web, "features/styleguide");
  const shown = readdirSync(pages)
    .map((file) => readFileSync(join(pages, file), "utf8"))
    .join("\n");
  const parts = readdirSync(join(web, "ui")).filter((file) => file.endsWith(".tsx") && !file.endsWith(".test.tsx"));
  expect(parts.filter((file) => !shown.includes(`../../ui/${file}"`))).toEqual([]);
});

test("is not in what visitors get", () => {
  const built = ["dist/web", "dist/demo"].flatMap((place) =>
    readdirSync(join(project, place), { recursive: true, encoding: "utf8" }).map((file) => join(project, place, file)),
  );
  const scripts = built.filter((file) => file.endsWith(".js"));
  expect(scripts.length).toBeGreaterThan(0);
  expect(scripts.filter((file) => /styleguide/i.test(readFileSync(file, "utf8")))).toEqual([]);
});
