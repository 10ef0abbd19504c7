import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

type RunOptions = Parameters<AxeBuilder["options"]>[0];

const tags = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"];
export const widths = [1440, 390];
export const schemes = ["dark", "light"] as const;

/** Whatever axe has against the page, in both colour schemes, on a wide screen and on a phone. */
export async function axeFindings(page: Page): Promise<string[]> {
  const findings: string[] = [];
  for (const width of widths) {
    await page.setViewportSize({ width, height: width === 390 ? 844 : 900 });
    for (const colorScheme of schemes) {
      await page.emulateMedia({ colorScheme });
      // One frame with the new style, or axe measures the colours of the old one.
      await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
      // A scheme changes colours and nothing else.
      const runOnly: RunOptions["runOnly"] =
        colorScheme === "dark" ? { type: "tag", values: tags } : { type: "rule", values: ["color-contrast"] };
      const rules: RunOptions["rules"] = colorScheme === "dark" ? { "target-size": { enabled: true } } : {};
      // In one page only: the other mode opens a blank one for every look.
      const look = new AxeBuilder({ page }).setLegacyMode(true).options({ runOnly, rules, resultTypes: ["violations"] });
      const { violations } = await look.analyze();
      for (const { id, nodes } of violations) {
        for (const { target, any, all, none } of nodes) {
          const why = [...any, ...all, ...none].map(({ message }) => message).join("; ");
          findings.push(`${width} px, ${colorScheme}: ${id} at ${target.join(" ")}: ${why}`);
        }
      }
    }
  }
  return findings;
}

export async function expectAccessible(page: Page, screen: string): Promise<void> {
  expect.soft(await axeFindings(page), screen).toEqual([]);
}
