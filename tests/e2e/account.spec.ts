import type { Page } from "@playwright/test";
import { expectDashboard } from "../support/browser/dashboard.ts";
import { adminSessionOf, joinSite, windowOf } from "../support/sites/members.ts";
import { codeOf } from "../support/second-factor.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import { adminPassword, expect, test } from "../support/sites/site.ts";
import { confirmDeletion } from "../support/browser/delete-user.ts";

const panel = (page: Page, name: string) => page.getByRole("region", { name });
const button = (page: Page, name: string) => page.getByRole("button", { name, exact: true });

/** Leaves, and waits until the browser has forgotten the session. */
async function logOut(page: Page): Promise<void> {
  await button(page, "Logout").click();
  const sessions = () => page.evaluate(() => Object.keys(localStorage).filter((key) => key.startsWith("sb-")));
  await expect.poll(sessions).toEqual([]);
}

/** Turns two-step sign-in on; returns the secret, as the page shows it, and the recovery codes. */
async function setUp(page: Page): Promise<{ secret: string; recoveryCodes: string[] }> {
  const enrolled = page.waitForResponse((reply) => reply.url().endsWith("/auth/v1/factors"));
  await button(page, "Set up").click();
  const { totp, recovery_codes } = (await (await enrolled).json()) as { totp: { secret: string }; recovery_codes: string[] };
  await expect(page.getByRole("img", { name: "QR code for your authenticator app" })).toBeVisible();
  await page.getByLabel("Code from the app").fill(codeOf(totp.secret, new Date()));
  await button(page, "Turn on").click();
  await expect(page.getByRole("list", { name: "Recovery codes" }).getByRole("listitem")).toHaveText(recovery_codes);
  await page.goBack();
  const question = page.getByRole("alertdialog", { name: "Leave without the recovery codes?" });
  await question.getByRole("button", { name: "Cancel" }).click();
  await expect(question).toBeHidden();
  await button(page, "I have kept them").click();
  await expect(panel(page, "Two-step sign-in").getByText("10 of 10")).toBeVisible();
  return { secret: totp.secret, recoveryCodes: recovery_codes };
}

test("a student turns two-step sign-in on, uses both kinds of codes, and turns it off", async ({ browser, site, login }) => {
  test.setTimeout(120_000);
  const member = await joinSite(site, "Nok Twostep", true);
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await login(page, member);
  await page.getByRole("link", { name: "Account" }).click();
  await expect(page.getByRole("heading", { level: 1, name: "Your account" })).toBeFocused();
  const { secret, recoveryCodes } = await setUp(page);
  const inStorage = await page.evaluate(() => JSON.stringify(Object.entries(localStorage)));
  for (const code of recoveryCodes) expect(inStorage).not.toContain(code);

  await test.step("signs in with the app's next code", async () => {
    await logOut(page);
    await login(page, member);
    await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
    await page.goto("/student");
    await expect(page.getByRole("heading", { name: "Two-step sign-in" })).toBeVisible();
    await page.getByRole("textbox", { name: "Code from the app" }).focus();
    await page.keyboard.type("000000");
    await page.keyboard.press("Enter");
    await expect(page.getByRole("alert")).toHaveText("This code is not correct, or it was used before.");
    await page.keyboard.type(codeOf(secret, new Date(), 1));
    await page.keyboard.press("Enter");
    await expectDashboard(page, "Welcome back, Nok Twostep!");
  });

  await test.step("signs in with a recovery code and turns it off", async () => {
    await logOut(page);
    await login(page, member);
    await button(page, "Use a recovery code").click();
    await page.getByLabel("Recovery code").fill(recoveryCodes[3]!.toUpperCase());
    await button(page, "Sign In").click();
    await page.getByRole("link", { name: "Account" }).click();
    await expect(panel(page, "Two-step sign-in").getByText("9 of 10")).toBeVisible();
    await button(page, "Turn off").click();
    await page.getByRole("alertdialog").getByRole("button", { name: "Turn off" }).click();
    await expect(button(page, "Set up")).toBeVisible();
  });
  await logOut(page);
  await login(page, member);
  await expectDashboard(page, "Welcome back, Nok Twostep!");
  await context.close();
});

test("a student changes name, password and address, and signs other browsers out", async ({ browser, site, login }) => {
  test.setTimeout(120_000);
  const member = await joinSite(site, "Malee Moving", true);
  const context = await browser.newContext({ baseURL: site.url });
  const page = await context.newPage();
  await login(page, member);
  const elsewhere = await browser.newContext({ baseURL: site.url });
  const other = await elsewhere.newPage();
  await login(other, member);
  await expectDashboard(other, "Welcome back, Malee Moving!");
  await page.getByRole("link", { name: "Account" }).click();

  await test.step("ends the other sessions, whose pages close at once", async () => {
    const sessions = panel(page, "Where you are signed in");
    await expect(sessions.getByRole("listitem")).toHaveCount(3);
    await expect(sessions.getByRole("listitem").filter({ hasText: "Chrome on Linux" })).toHaveCount(2);
    await sessions.getByRole("button", { name: "Sign out all others" }).click();
    await expect(sessions.getByRole("listitem")).toHaveCount(1);
    await expect(sessions.getByText("This device")).toBeVisible();
    await other.reload();
    await expect(other.getByRole("heading", { name: "Welcome Back" })).toBeVisible();
  });

  await test.step("changes the name", async () => {
    await page.getByLabel("Full Name").fill("Malee Moved");
    await button(page, "Save name").click();
    await expect(page.getByText("Saved.")).toBeVisible();
  });

  await test.step("changes the password with the current one", async () => {
    await page.getByLabel("Current password").fill("a guess");
    await page.getByLabel("New password").fill("an even finer password");
    await button(page, "Change password").click();
    await expect(page.getByLabel("Current password")).toHaveAccessibleDescription("Your current password is not correct.");
    await page.getByLabel("Current password").fill(member.password);
    await button(page, "Change password").click();
    await expect(page.getByText("Your password was changed.")).toBeVisible();
  });

  await test.step("confirms a new address with the mailed code", async () => {
    await page.getByLabel("New email address").fill("malee.moved@example.com");
    await button(page, "Send the code").click();
    await page.getByLabel("Code from the mail").fill(await site.codeFor("malee.moved@example.com"));
    await button(page, "Use the new address").click();
    await expect(page.getByLabel("New email address")).toBeVisible();
    await expect(page.getByRole("main").getByText("malee.moved@example.com")).toBeVisible();
    expect((await site.mailsFor(member.email))[0]?.text).toContain("malee.moved@example.com");
  });

  await logOut(page);
  await login(page, { email: "malee.moved@example.com", password: "an even finer password" });
  await expectDashboard(page, "Welcome back, Malee Moved!");
  await elsewhere.close();
  await context.close();
});

test("an old sign-in asks the admin to confirm, and the call is repeated", async ({ browser, site }) => {
  const leaver = await joinSite(site, "Lek Leaving", true);
  const context = await windowOf(browser, site, await adminSessionOf(site));
  const page = await context.newPage();
  let isProven = false;
  await page.route("**/functions/v1/admin-users?*", (route) => {
    if (route.request().method() !== "DELETE" || isProven) return route.continue();
    return route.fulfill({ status: 403, json: { error: "Please confirm that it is you.", code: "step_up_needed" } });
  });
  await page.route("**/api/step-up", async (route) => {
    const reply = await route.fetch();
    isProven = reply.ok();
    await route.fulfill({ response: reply });
  });
  await page.goto("/admin?tab=users");
  const dialog = page.getByRole("alertdialog", { name: "Confirm that it is you" });
  const remove = async (): Promise<void> => {
    await button(page, `Delete ${leaver.email}`).click();
    await confirmDeletion(page);
    await expect(dialog.getByLabel("Your password")).toBeFocused();
  };

  await remove();
  await page.keyboard.press("Escape");
  const question = page.getByRole("alertdialog", { name: "Delete user" });
  await expect(question.getByRole("alert")).toHaveText("Please confirm that it is you.");
  await question.getByRole("button", { name: "Cancel" }).click();

  await remove();
  await page.keyboard.type("a guess");
  await page.keyboard.press("Enter");
  await expect(dialog.getByLabel("Your password")).toHaveAccessibleDescription("Your current password is not correct.");
  await dialog.getByLabel("Your password").fill(adminPassword);
  await tabTo(page, dialog.getByRole("button", { name: "Confirm" }));
  await page.keyboard.press("Enter");
  await expect(dialog).toBeHidden();
  await expect(page.getByText(leaver.email)).toHaveCount(0);
  await context.close();
});
