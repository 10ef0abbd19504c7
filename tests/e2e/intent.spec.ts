import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { texts } from "../../src/domain/texts/texts.ts";
import {
  applyCoupon,
  expect,
  openPayment,
  screenshotPicker,
  sentSum,
  submitButton,
  test,
} from "../support/browser/checkout.ts";
import { pay } from "../support/sites/course.ts";
import { expectDashboard } from "../support/browser/dashboard.ts";
import { joinSite, windowOf, type Member } from "../support/sites/members.ts";
import { codeOf } from "../support/second-factor.ts";
import type { Site } from "../support/sites/site.ts";

const heading = (page: Page, name: string | RegExp) => page.getByRole("heading", { level: 1, name });
const receipt = { name: "receipt.png", path: "tests/support/payment-requests/receipt.png" };
const noSession = { cookies: [], origins: [] };
const advanced = "/payment?package=advanced";

/** What the browser itself complains about: refused requests, errors of scripts. */
function complaintsOf(page: Page): string[] {
  const complaints: string[] = [];
  page.on("console", (message) => message.type() === "error" && complaints.push(message.text()));
  page.on("pageerror", (error) => complaints.push(String(error)));
  return complaints;
}

async function fillSignIn(page: Page, { email, password }: { email: string; password: string }): Promise<void> {
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill(password);
  await page.getByRole("button", { name: "Sign In" }).click();
}

/** Ends every session of a member, as another browser of theirs would. */
const endAllSessions = (site: Site, { session }: Member): Promise<unknown> =>
  fetch(`${site.url}/auth/v1/logout?scope=global`, {
    method: "POST",
    headers: { authorization: `Bearer ${session.access_token}` },
  });

/** The newest recovery link that was mailed to an address. */
async function recoveryLinkFor(site: Site, email: string): Promise<string> {
  let link: string | undefined;
  await expect(async () => {
    for (const { text } of await site.mailsFor(email)) link ??= /^http\S+\/auth\S*recovery=\S+$/m.exec(text)?.[0];
    expect(link).toBeDefined();
  }).toPass();
  return link ?? "";
}

test.describe("a visitor", () => {
  test.use({ storageState: noSession, viewport: { width: 390, height: 844 } });

  // JOURNEY-1, JOURNEY-2
  test("a visitor who chose Advanced reaches its payment page through sign-up", async ({ page, site }) => {
    const complaints = complaintsOf(page);
    await page.goto("/");
    await page.getByRole("link", { name: "Choose Advanced" }).click();
    await expect(heading(page, "Create Account")).toBeVisible();
    await expect(page.getByRole("main")).toContainText("You chose Advanced, $997 USD");
    await page.getByLabel("Full Name").fill("Nok Wants");
    await page.getByLabel("Email").fill("nok.wants@example.com");
    await page.getByLabel("Password", { exact: true }).fill("short");
    await page.getByRole("button", { name: "Create Account" }).click();
    await expect(page.getByLabel("Password", { exact: true })).toHaveAccessibleDescription(/stronger password/);
    await page.getByLabel("Password", { exact: true }).fill("a fine long password");
    await page.getByRole("button", { name: "Create Account" }).click();
    await page.getByRole("textbox", { name: "Verification code" }).focus();
    await page.keyboard.type(await site.codeFor("nok.wants@example.com"));
    await page.getByRole("button", { name: "Verify Email" }).click();
    await expect(heading(page, "Advanced package")).toBeVisible();
    expect(new URL(page.url()).pathname + new URL(page.url()).search).toBe(advanced);
    expect(complaints.filter((text) => text.startsWith("Failed to load resource"))).toEqual([]);
  });

  // VERIFY-7
  test("five wrong codes lead to asking for another, also after a reload", async ({ page, site }) => {
    const member = await joinSite(site, "Fai Wrong");
    await member.call("POST", "/functions/v1/send-verification-email", {});
    const code = await site.codeFor(member.email);
    await page.goto("/auth");
    await fillSignIn(page, member);
    await expect(page.getByRole("button", { name: "Resend code" })).toBeDisabled();
    await page.reload();
    await expect(page.getByText(/^in \d+ s$/)).toBeVisible();
    const box = page.getByRole("textbox", { name: "Verification code" });
    for (let time = 0; time < 5; time++) {
      await box.focus();
      await page.keyboard.type(String(((Number(code) + 1) % 900_000) + 100_000));
      await page.getByRole("button", { name: "Verify Email" }).click();
      await expect(page.getByRole("alert")).toHaveText(errors.verification_code_invalid.text);
      await expect(box).toHaveValue("");
    }
    await expect(page.getByText(/No code works now/)).toBeVisible();
    await page.reload();
    await expect(page.getByText(/No code works now/)).toBeVisible();
  });

  test("a visitor who typed a student's address reaches it by signing in", async ({ page, site }) => {
    const member = await joinSite(site, "Som Typed", true);
    await page.goto(advanced);
    await expect(heading(page, "Welcome Back")).toBeVisible();
    await expect(page.getByRole("main")).toContainText("go on with Advanced");
    await expect(page.getByText(errors.no_session.text)).toBeHidden();
    await fillSignIn(page, member);
    await expect(heading(page, "Advanced package")).toBeVisible();
  });

  test("a visitor who forgot the password reaches the wanted page by the mailed link", async ({ page, site }) => {
    const member = await joinSite(site, "Ploy Forgot", true);
    await page.goto(advanced);
    await page.getByRole("button", { name: "Forgot your password?" }).click();
    // The form before has such a field too.
    await expect(page.getByRole("heading", { name: "Reset your password" })).toBeVisible();
    await page.getByLabel("Email").fill(member.email);
    await page.getByRole("button", { name: "Send the link" }).click();
    await page.goto(await recoveryLinkFor(site, member.email));
    await page.getByLabel("New password").fill("an even finer password");
    await page.getByRole("button", { name: "Save the new password" }).click();
    await expect(heading(page, "Advanced package")).toBeVisible();
  });

  // JOURNEY-1, FACTOR-2
  test("sign-in with a second factor reaches the wanted page without a failed request", async ({ page, site }) => {
    const member = await joinSite(site, "Chai Factor", true);
    const factor = await member.call("POST", "/auth/v1/factors", { factor_type: "totp" });
    const challenge = await member.call("POST", `/auth/v1/factors/${factor.id}/challenge`, {});
    const code = codeOf(factor.totp.secret, new Date());
    await member.call("POST", `/auth/v1/factors/${factor.id}/verify`, { challenge_id: challenge.id, code });
    const complaints = complaintsOf(page);
    await page.goto("/account");
    await fillSignIn(page, member);
    await expect(heading(page, "Two-step sign-in")).toBeVisible();
    await page.reload();
    await page.getByRole("textbox", { name: "Code from the app" }).focus();
    await page.keyboard.type(codeOf(factor.totp.secret, new Date(), 1));
    await page.keyboard.press("Enter");
    await expect(heading(page, "Your account")).toBeVisible();
    expect(complaints).toEqual([]);
  });

  for (const next of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "/%2f%2fevil.example",
    "javascript:alert(1)",
  ]) {
    test(`sign-in never leads to ${next}`, async ({ page, site }) => {
      const member = await joinSite(site, `Lure ${Buffer.from(next).toString("hex")}`.slice(0, 40), true);
      await page.goto(`/auth?next=${encodeURIComponent(next)}`);
      await fillSignIn(page, member);
      await expectDashboard(page);
      expect(page.url()).toBe(`${site.url}/student`);
    });
  }
});

// JOURNEY-1
test("the admin who follows a student's link lands on the admin's page", async ({ site, browser }) => {
  const context = await browser.newContext({ baseURL: site.url, storageState: noSession });
  const other = await context.newPage();
  await other.goto(advanced);
  await fillSignIn(other, { email: "owner@example.com", password: "a long admin password" });
  await expect(other.getByRole("tab", { name: "Users" })).toBeVisible();
  await context.close();
});

// JOURNEY-3
test("a session that ends at the form says so, and the form is restored afterwards", async ({ page, buyer, site, shop }) => {
  await openPayment(page, "advanced");
  await applyCoupon(page, "LUNCH");
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await screenshotPicker(page).setInputFiles(receipt.path);
  await page.getByRole("checkbox").check();
  await page.getByLabel(/reference/i).fill("TH-2026-0042");
  await expect(sentSum(page)).toContainText("10,468.50 THB");
  await endAllSessions(site, buyer);
  await expect(page.getByText(errors.no_session.text)).toBeVisible();
  await fillSignIn(page, buyer);
  await expect(heading(page, "Advanced package")).toBeVisible();
  await expect(page.getByText(receipt.name)).toBeVisible();
  await expect(page.getByRole("radio", { name: "Thai Bank Transfer" })).toBeChecked();
  await expect(page.getByLabel(/reference/i)).toHaveValue("TH-2026-0042");
  await expect(page.getByLabel("Coupon code")).toHaveValue("LUNCH");
  await expect(sentSum(page)).toContainText("10,468.50 THB");
  await submitButton(page).click();
  await expect(heading(page, "Payment Submitted!")).toBeVisible();
  const [request] = await shop.requestsOf(buyer);
  expect(request).toMatchObject({ package_type: "advanced", crypto_type: "thai_bank", reference: "TH20260042" });
  expect(request).toMatchObject({ coupon_code: "LUNCH", amount_crypto: "10468.50" });
});

// JOURNEY-3
test("a form is not restored for another person in the same browser", async ({ page, buyer, site }) => {
  await openPayment(page);
  await screenshotPicker(page).setInputFiles(receipt.path);
  await endAllSessions(site, buyer);
  const next = await joinSite(site, "Next Person", true);
  await fillSignIn(page, next);
  await expect(heading(page, "Starter package")).toBeVisible();
  await expect(page.getByText(receipt.name)).toBeHidden();
});

// JOURNEY-3, SESSION-5
test("a refused refresh says that the session has ended, and sign-in leads back", async ({ buyer, site, browser }) => {
  const ended = { ...buyer.session, expires_at: 1, refresh_token: "no-such-token" };
  const context = await windowOf(browser, site, ended);
  const page = await context.newPage();
  await page.goto("/account");
  // The page begins anew without the session; what was clicked or typed before would be gone.
  await page.waitForFunction(() =>
    performance.getEntriesByType("navigation").some((entry) => "type" in entry && entry.type === "reload"),
  );
  await expect(page.getByText(errors.no_session.text)).toBeVisible();
  await page.getByRole("button", { name: "Dismiss" }).click();
  await expect(page.getByText(errors.no_session.text)).toBeHidden();
  await fillSignIn(page, buyer);
  await expect(heading(page, "Your account")).toBeVisible();
  await context.close();
});

test("every page of a student has a way to sign out, which is not printed", async ({ page, buyer, shop }) => {
  const { id } = await pay(buyer, { package_type: "starter", method: "bitcoin" });
  const logout = page.getByRole("button", { name: texts.student.logout });
  for (const path of ["/student", "/account", "/payment", "/payment?package=advanced"]) {
    await page.goto(path);
    await expect(logout, path).toBeVisible();
  }
  await shop.asAdmin("POST", `/api/payment-requests/${id}/approve`, {});
  await page.goto("/payment");
  await expect(page.getByText("You already have the Starter package.")).toBeVisible();
  await expect(logout).toBeVisible();
  await page.goto(`/student/receipts/${id}`);
  await expect(page.getByRole("heading", { name: /^Receipt/ })).toBeVisible();
  await page.emulateMedia({ media: "print" });
  await expect(logout).toBeHidden();
  await page.emulateMedia({ media: "screen" });
  await logout.click();
  await expect(page).toHaveURL("/");
});
