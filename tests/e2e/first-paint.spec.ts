import type { Page } from "@playwright/test";
import { adminEmail, adminPassword, expect, test } from "../support/site.ts";

/** Opens a page whose scripts arrive when what is returned is called. */
async function openBeforeScripts(page: Page, path: string): Promise<() => Promise<void>> {
  let send = (): void => {};
  const sent = new Promise<void>((resolve) => (send = resolve));
  await page.route("**/assets/*.js", async (route) => {
    await sent;
    await route.continue();
  });
  await page.goto(path, { waitUntil: "commit" });
  await page.locator("#root").waitFor({ state: "attached" });
  return async () => {
    send();
    await page.unrouteAll({ behavior: "wait" });
  };
}

const picture = (page: Page) => page.locator("#root > [inert]");

// JOURNEY-6, JOURNEY-2
for (const [path, title, lead, fields] of [
  ["/auth", "Welcome Back", "Sign in to your trading course.", 2],
  ["/auth?mode=sign-up&next=%2Fpayment%3Fpackage%3Dadvanced", "Create Account", "You chose Advanced, $997 USD", 3],
] as const) {
  test(`${path} is displayed before its scripts, and used with them`, async ({ page }) => {
    const sendScripts = await openBeforeScripts(page, path);
    await expect(picture(page)).toContainText(title);
    await expect(picture(page)).toContainText(lead);
    await expect(page.getByLabel("Email")).toBeDisabled();
    await expect(page.getByRole("heading")).toHaveCount(0);

    await sendScripts();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(picture(page)).toHaveCount(0);
    await expect(page.getByText(lead)).toHaveCount(1);
    await expect(page.locator("input")).toHaveCount(fields);
    await page.getByLabel("Email").fill("someone@example.com");
  });
}

test("a link that recovers a password does not open on the sign-in form", async ({ page }) => {
  const sendScripts = await openBeforeScripts(page, "/auth#recovery=not-a-token");
  await expect(picture(page)).toBeHidden();
  await sendScripts();
  await expect(page.getByRole("heading", { name: "Choose a new password" })).toBeVisible();
});

test("who is signed in does not see the sign-in form", async ({ page, login }) => {
  await login(page, { email: adminEmail, password: adminPassword });
  await expect(page).toHaveURL(/\/admin/);
  const sendScripts = await openBeforeScripts(page, "/auth");
  await expect(picture(page)).toBeHidden();
  await sendScripts();
  await expect(page).toHaveURL(/\/admin/);
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the sign-in page says what it needs instead of a form that does nothing", async ({ page }) => {
    await page.goto("/auth");
    await expect(picture(page)).toBeHidden();
    await expect(page.getByRole("link", { name: "course page" })).toBeVisible();
  });
});
