import { expect, test } from "../support/browser/checkout.ts";

test("a dead link leads to the dashboard of whoever is signed in", async ({ page, shop }) => {
  const link = `${shop.site.url}/storage/v1/object/sign/course-videos/lesson.mp4?token=expired`;
  const reply = await page.goto(link);
  expect(reply?.status()).toBe(403);
  await expect(page).toHaveTitle(/^This link no longer opens/);
  await page.getByRole("link", { name: "Sign in or open your dashboard" }).click();
  await expect(page).toHaveURL(/\/student$/);
});

test("a dead link leads a visitor to the sign-in", async ({ browser, shop }) => {
  const page = await (await browser.newContext({ storageState: { cookies: [], origins: [] } })).newPage();
  await page.goto(`${shop.site.url}/storage/v1/object/sign/payment-screenshots/paid.png?token=expired`);
  await page.getByRole("link", { name: "Sign in or open your dashboard" }).click();
  await expect(page.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
});
