import type { Page } from "@playwright/test";

export interface Credentials {
  email: string;
  password: string;
}

/** Fills in the sign-in form and sends it; what comes of it is the test's to look at. */
export async function login(page: Page, { email, password }: Credentials, origin = ""): Promise<void> {
  await page.goto(`${origin}/auth`);
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}
