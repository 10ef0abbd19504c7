import type { Page } from "@playwright/test";

/** Types the address that the open question before deleting a user names, and deletes. */
export async function confirmDeletion(page: Page): Promise<void> {
  const question = page.getByRole("alertdialog", { name: "Delete user" });
  const email = (await question.getByText(/^\S+@\S+$/).textContent()) ?? "";
  await question.getByLabel("Type the e-mail address to confirm").fill(email);
  await question.getByRole("button", { name: "Delete" }).click();
}

/** Chooses an action of the menu by which a student's tier is changed. */
export async function chooseTier(page: Page, email: string, action: string): Promise<void> {
  await page.getByRole("button", { name: `Package of ${email}` }).click();
  await page.getByRole("menuitem", { name: action }).click();
}
