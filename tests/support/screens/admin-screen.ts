import type { Page } from "@playwright/test";
import { seen, type Screen } from "./screen.ts";

/** A screen of the admin page, as the admin sees it. */
export const adminScreen = (name: string, open: (page: Page) => Promise<void>): Screen => ({
  name: `admin, ${name}`,
  as: "admin",
  open,
});

/** Opens a tab of the admin page by its name in the address. */
export async function openTab(page: Page, name: string): Promise<void> {
  await page.goto(`/admin?tab=${name}`);
  await seen(page.getByRole("tab", { name, selected: true }));
}
