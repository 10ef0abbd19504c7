import { expect, type Page } from "@playwright/test";

/** Waits until a student's dashboard is there with its lessons: its greeting is displayed before anybody is known to be signed in. */
export async function expectDashboard(page: Page, greeting: string | RegExp = /^Welcome back/): Promise<void> {
  await expect(page.getByRole("heading", { name: "Lessons", exact: true })).toBeVisible();
  await expect(page.getByRole("heading", { level: 1, name: greeting })).toBeVisible();
}
