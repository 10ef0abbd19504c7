import { expect, type Page } from "@playwright/test";

/** Begins the scripts of the landing page, which wait for the first interaction, and waits until React has the page. */
export async function startReact(page: Page): Promise<void> {
  await page.mouse.move(200, 300);
  await page.mouse.move(210, 310);
  const hasReact = (element: Element): boolean => Object.keys(element).some((key) => key.startsWith("__react"));
  await expect.poll(() => page.getByRole("main").evaluate(hasReact)).toBe(true);
}
