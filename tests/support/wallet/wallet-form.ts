import type { Page } from "@playwright/test";
import { adminPassword, expect } from "../sites/site.ts";

/** Saves the admin's wallet form, whose changes need the password (WALLET-6), and waits until it is saved. */
export async function saveWallets(page: Page): Promise<void> {
  await page.getByRole("button", { name: "Save settings" }).click();
  const dialog = page.getByRole("alertdialog", { name: "Save these changes?" });
  await dialog.getByLabel("Your current password").fill(adminPassword);
  await dialog.getByRole("button", { name: "Save changes" }).click();
  await expect(page.getByText("Saved.")).toBeVisible();
}
