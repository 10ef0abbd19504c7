import { axeFindings, expectAccessible } from "../support/browser/axe.ts";
import { expect, test } from "../support/sites/course.ts";
import { areas } from "../support/screens/areas.ts";
import { failures } from "../support/screens/failures.ts";
import { missingTexts, textsOn } from "../support/screens/quoted.ts";
import { walk } from "../support/screens/walk.ts";

// The areas share out the workers; within one, a signed-in page is used again and again.
test.describe.configure({ mode: "parallel", timeout: 900_000 });

const softly = expect.configure({ soft: true });

for (const [area, screens] of Object.entries(areas)) {
  test(`screens of ${area}: the quoted texts are visible, and axe finds no violation`, async ({ browser, course }) => {
    await walk(screens, browser, course, async (page, { name, isSeenAtItsEnd }) => {
      await softly.poll(() => missingTexts(page, textsOn[name] ?? []), name).toEqual([]);
      await expectAccessible(page, name, isSeenAtItsEnd);
    });
  });
}

test("failures: the quoted texts are visible", async ({ browser, course }) => {
  await walk(failures, browser, course, (page, { name }) =>
    softly.poll(() => missingTexts(page, textsOn[name] ?? []), name).toEqual([]),
  );
});

test("axe finds what is too faint in one scheme or at one width only", async ({ browser }) => {
  const page = await browser.newPage();
  const at = (media: string, id: string, colour: string): string => `@media ${media} { #${id} { color: ${colour} } }`;
  await page.setContent(
    `<html lang="en"><title>Faint</title><style>body { background: oklch(1 0 0); color: oklch(0.2 0 0) }
      ${at("(prefers-color-scheme: light)", "light", "oklch(0.9 0 0)")} ${at("(prefers-color-scheme: dark)", "dark", "rgb(0 0 0 / 10%)")}
      ${at("(max-width: 500px)", "phone", "#eee")}</style>
      <main><h1>Words</h1><p id="light">Light</p><p id="dark">Dark</p><p id="phone">Phone</p></main></html>`,
  );
  const faint = (await axeFindings(page)).map((finding) => finding.replace(/: color-contrast at (\S+): .*/s, " $1"));
  const ofWide = ["1440 px, dark #dark", "1440 px, light #light"];
  expect(faint).toEqual([
    ...ofWide,
    "390 px, light #light",
    "390 px, light #phone",
    "390 px, dark #dark",
    "390 px, dark #phone",
  ]);
  await page.close();
});
