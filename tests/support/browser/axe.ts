import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import type axe from "axe-core";
import type { Result, RunOptions } from "axe-core";
import { expect, type Page } from "@playwright/test";

const source = readFileSync(fileURLToPath(import.meta.resolve("axe-core/axe.min.js")), "utf8");
const everything: RunOptions = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations"],
  // No rule of these reads style sheets, which axe would parse again for each look.
  preload: { assets: ["media"] },
};
/** A scheme changes colours and nothing else. */
const colours: RunOptions = { runOnly: { type: "rule", values: ["color-contrast"] }, resultTypes: ["violations"] };
/** At the edges of open menus and dialogs: they pass the focus on at once, which axe cannot see, and accepts only where it sees a dialog. */
const focusGuards = "[data-base-ui-focus-guard]";
export const wideScreen = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** Each look differs from the one before in one thing, and the first from the last, at which the next screen opens. */
const looks = [
  { size: wideScreen, colorScheme: "dark", options: everything },
  { size: wideScreen, colorScheme: "light", options: colours },
  { size: phone, colorScheme: "light", options: colours },
  { size: phone, colorScheme: "dark", options: everything },
] as const;

interface Colour {
  r: number;
  g: number;
  b: number;
  alpha: number;
  parseString(text: string): Colour;
}
type AxeInPage = Pick<typeof axe, "run"> & { commons: { color: { Color: { prototype: Colour } } } };

/** Brings axe into the page, once for all looks at it. */
async function bringAxe(page: Page): Promise<void> {
  if (await page.evaluate(() => "axe" in window)) return;
  await page.evaluate(source);
  await page.evaluate(() => {
    // A quarter of axe's time goes to reading a page's few colours again for every element.
    const known = new Map<string, Omit<Colour, "parseString">>();
    const { prototype } = (window as unknown as { axe: AxeInPage }).axe.commons.color.Color;
    const { parseString } = prototype;
    prototype.parseString = function (text) {
      const earlier = known.get(text);
      if (earlier) return Object.assign(this, earlier);
      parseString.call(this, text);
      known.set(text, { r: this.r, g: this.g, b: this.b, alpha: this.alpha });
      return this;
    };
  });
}

function look(page: Page, options: RunOptions): Promise<Result[]> {
  return page.evaluate(
    async ({ wanted, exclude }) => {
      const { axe: inPage } = window as unknown as { axe: AxeInPage };
      return (await inPage.run({ exclude }, wanted)).violations;
    },
    { wanted: options, exclude: [focusGuards] },
  );
}

/** Whatever axe has against the page, in both colour schemes, on a wide screen and on a phone; where it begins, or where it ends. */
export async function axeFindings(page: Page, isAtEnd = false): Promise<string[]> {
  const findings: string[] = [];
  await bringAxe(page);
  for (const { size, colorScheme, options } of looks) {
    await page.setViewportSize(size);
    if (isAtEnd) await page.evaluate(() => scrollTo(0, document.documentElement.scrollHeight));
    await page.emulateMedia({ colorScheme });
    // One frame with the new style, or axe measures the colours of the old one.
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
    for (const { id, nodes } of await look(page, options)) {
      for (const { target, any, all, none } of nodes) {
        const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
        findings.push(`${size.width} px, ${colorScheme}: ${id} at ${target.join(" ")}: ${why}`);
      }
    }
  }
  return findings;
}

export async function expectAccessible(page: Page, screen: string, isAtEnd?: boolean): Promise<void> {
  expect.soft(await axeFindings(page, isAtEnd), screen).toEqual([]);
}
