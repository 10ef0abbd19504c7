import { randomInt } from "node:crypto";
import type { Page } from "@playwright/test";
import { joinSite, windowOf, type Member } from "../support/sites/members.ts";
import { adminEmail, adminPassword, expect, test as base } from "../support/sites/site.ts";

/** A test may have a student, who is signed in on pages of `memberPage`. */
const test = base.extend<{ member: Member; memberPage: Page }>({
  member: async ({ site }, use) => use(await joinSite(site, `Nok & ${randomInt(1e9, 1e10)}`, true)),
  memberPage: async ({ site, member, browser }, use) => {
    const context = await windowOf(browser, site, member.session);
    await use(await context.newPage());
    await context.close();
  },
});

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

/** What of it is for whoever is at the page. */
const picture = (page: Page) => page.locator("#root > [inert]").filter({ visible: true });

// JOURNEY-6, JOURNEY-2
for (const [path, title, lead, fields] of [
  ["/auth", "Welcome Back", "Sign in to your trading course.", 2],
  ["/auth?mode=sign-up&next=%2Fpayment%3Fpackage%3Dadvanced", "Create Account", "You chose Advanced, $997 USD", 3],
  ["/auth?mode=forgot&next=%2Fstudent", "Reset your password", "We will mail you a link to choose a new one.", 1],
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

// ACCESS-6
test("who is signed in sees that the page loads in place of the sign-in form", async ({ page, login }) => {
  await login(page, { email: adminEmail, password: adminPassword });
  await expect(page).toHaveURL(/\/admin/);
  for (const path of ["/auth", "/auth?mode=sign-up"]) {
    const sendScripts = await openBeforeScripts(page, path);
    await expect(picture(page)).toHaveText("Loading...");
    await sendScripts();
    await expect(page).toHaveURL(/\/admin/);
  }
});

for (const [path, title, lead] of [
  ["/student", /^Welcome back, Nok & \d+!$/, "Loading your course content..."],
  ["/payment", "Starter package", "Pay once, upload a screenshot, and we unlock the course."],
  ["/payment?package=advanced", "Advanced package", "Pay once, upload a screenshot, and we unlock the course."],
] as const) {
  test(`${path} is displayed to a student before its scripts`, async ({ memberPage: page }) => {
    const sendScripts = await openBeforeScripts(page, path);
    await expect(picture(page)).toBeVisible();
    await expect(picture(page).locator("h1")).toHaveText(title);
    await expect(picture(page)).toContainText(lead);
    await expect(page.getByRole("heading")).toHaveCount(0);

    await sendScripts();
    await expect(page.getByRole("heading", { level: 1, name: title })).toBeVisible();
    await expect(page.getByRole("button", { name: "Logout" })).toBeEnabled();
    await expect(picture(page)).toHaveCount(0);
  });

  test(`${path} displays nothing to a visitor before it leads to /auth`, async ({ page }) => {
    const sendScripts = await openBeforeScripts(page, path);
    await page.waitForFunction(() => document.documentElement.dataset["arrival"] === "visitor");
    await expect(picture(page)).toBeHidden();
    await sendScripts();
    await expect(page).toHaveURL(/\/auth\?next=/);
  });
}

// ACCESS-6
for (const [path, text] of [
  ["/account", "Your account"],
  ["/watch/of-no-lesson", "This lesson is gone"],
  ["/student/receipts/of-nobody", "receipt"],
  ["/admin", "Choose your package"],
] as const) {
  test(`${path} says before its scripts that it loads`, async ({ memberPage: page }) => {
    const sendScripts = await openBeforeScripts(page, path);
    await expect(picture(page)).toBeVisible();
    await expect(picture(page)).toHaveText("Loading...");
    await sendScripts();
    await expect(picture(page)).toHaveCount(0);
    await expect(page.getByText("Loading...")).toHaveCount(0);
    await expect(page.getByRole("main")).toContainText(text);
  });
}

test("a page stays as it has arrived until the server says who is signed in", async ({ memberPage: page }) => {
  let answer = (): void => {};
  const answered = new Promise<void>((resolve) => (answer = resolve));
  await page.route("**/api/me", async (route) => {
    await answered;
    await route.continue();
  });
  await page.goto("/student");
  await expect(page.getByRole("heading", { name: /^Welcome back, Nok/ })).toBeVisible();
  await expect(page.getByRole("status").filter({ hasText: "Loading your course content..." })).toBeVisible();
  answer();
  await expect(page.getByRole("heading", { name: "Choose your package" })).toBeVisible();
});

test.describe("without script", () => {
  test.use({ javaScriptEnabled: false });

  test("the sign-in page says what it needs instead of a form that does nothing", async ({ page }) => {
    await page.goto("/auth");
    await expect(picture(page)).toBeHidden();
    await expect(page.getByRole("link", { name: "course page" })).toBeVisible();
  });
});
