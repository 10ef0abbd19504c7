import AxeBuilder from "@axe-core/playwright";
import { expect, type Page } from "@playwright/test";

type Violations = Awaited<ReturnType<AxeBuilder["analyze"]>>["violations"];
type RunOptions = Parameters<AxeBuilder["options"]>[0];

const everything: RunOptions = {
  runOnly: { type: "tag", values: ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"] },
  rules: { "target-size": { enabled: true } },
  resultTypes: ["violations"],
};
/** A scheme changes colours and nothing else. */
const colours: RunOptions = { runOnly: { type: "rule", values: ["color-contrast"] }, resultTypes: ["violations"] };
/** At the edges of open menus and dialogs: they pass the focus on at once, which axe cannot see, and accepts only where it sees a dialog. */
const focusGuards = "[data-base-ui-focus-guard]";
export const wideScreen = { width: 1440, height: 900 };
const phone = { width: 390, height: 844 };
/** Each differs from the one before by one thing, as the first does from the last, at which the next screen opens. */
const looks = [
  { size: wideScreen, colorScheme: "dark", options: everything },
  { size: wideScreen, colorScheme: "light", options: colours },
  { size: phone, colorScheme: "light", options: colours },
  { size: phone, colorScheme: "dark", options: everything },
] as const;

/** The builder brings axe into the page; once it is there, the further looks only run it. */
async function look(page: Page, options: RunOptions): Promise<Violations> {
  const again = await page.evaluate(
    async ({ wanted, exclude }) => {
      const { axe } = window as { axe?: { run: (context: unknown, options: unknown) => Promise<{ violations: unknown }> } };
      return axe && (await axe.run({ exclude }, wanted)).violations;
    },
    { wanted: options, exclude: [focusGuards] },
  );
  // In one page only: the other mode opens a blank one for every look.
  return (
    (again as Violations | undefined) ??
    (await new AxeBuilder({ page }).setLegacyMode(true).exclude(focusGuards).options(options).analyze()).violations
  );
}

/** Whatever axe has against the page, in both colour schemes, on a wide screen and on a phone; where it begins, or where it ends. */
export async function axeFindings(page: Page, isAtEnd = false): Promise<string[]> {
  const findings: string[] = [];
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
