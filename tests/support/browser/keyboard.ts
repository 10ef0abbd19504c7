import { expect, type Locator, type Page } from "@playwright/test";

const maxStops = 80;

/** What is wrong with how the focused element shows that it has the focus; empty when all is well. */
async function focusFault(page: Page): Promise<string> {
  return page.evaluate(() => {
    const element = document.activeElement;
    if (!(element instanceof HTMLElement) || element === document.body) return "";
    const label = element instanceof HTMLInputElement ? element.closest("label") : null;
    const name = element.getAttribute("aria-label") ?? label?.innerText ?? (element.innerText || element.id);
    const marked = [label, element].find((one) => {
      if (!one) return false;
      const { outlineStyle, outlineWidth } = getComputedStyle(one);
      return outlineStyle !== "none" && Number.parseFloat(outlineWidth) >= 2;
    });
    if (!marked) return `${name}: no outline`;
    const { left, top, right, bottom } = marked.getBoundingClientRect();
    if (bottom <= 0 || top >= innerHeight || right <= 0 || left >= innerWidth) return `${name}: out of sight`;
    const x = Math.min(Math.max((left + right) / 2, 0), innerWidth - 1);
    const y = Math.min(Math.max((top + bottom) / 2, 0), innerHeight - 1);
    const above = document.elementFromPoint(x, y);
    return above && (marked.contains(above) || above.contains(marked))
      ? ""
      : `${name}: covered by ${above?.outerHTML.slice(0, 80)}`;
  });
}

/** Presses Tab until the element has the focus, and at every stop the focus can be seen. Returns how often. */
export async function tabTo(page: Page, target: Locator, key: "Tab" | "Shift+Tab" = "Tab"): Promise<number> {
  await target.waitFor({ state: "attached" });
  for (let stop = 0; stop < maxStops; stop++) {
    await page.keyboard.press(key);
    // The page may scroll smoothly to it.
    await expect.poll(() => focusFault(page)).toBe("");
    if (await target.evaluate((element) => element === document.activeElement)) return stop + 1;
  }
  throw new Error(`${maxStops} times ${key} did not lead to ${String(target)}.`);
}

/** A field that says itself what is wrong with it. */
export async function expectFault(field: Locator, text: string): Promise<void> {
  await expect(field).toHaveAttribute("aria-invalid", "true");
  await expect(field).toHaveAccessibleDescription(new RegExp(text.replaceAll(/[.?]/g, "\\$&")));
}
