import { randomInt } from "node:crypto";
import type { Browser, Page } from "@playwright/test";
import { applyCoupon, expect, openPayment, test, type Shop } from "../support/browser/checkout.ts";
import { joinSite, windowOf } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";
import { adminEmail, adminPassword } from "../support/sites/site.ts";

test.use({ storageState: { cookies: [], origins: [] } });

type Login = (page: Page, who: { email: string; password: string }) => Promise<unknown>;

async function openSettings(page: Page, login: Login): Promise<void> {
  await login(page, { email: adminEmail, password: adminPassword });
  await page.getByRole("tab", { name: "Settings" }).click();
  await expect(page.getByLabel("Bitcoin address")).toHaveValue(walletForm.bitcoin_address);
}

// WALLET-6, ADMIN-5
test("changes of wallet settings are listed before they are saved; leaving asks", async ({ page, login, shop }) => {
  await openSettings(page, login);
  const address = page.getByLabel("Bitcoin address");
  const other = "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2";
  await address.fill(other);

  await test.step("another tab and another page ask, and the value stays or is discarded", async () => {
    await page.getByRole("tab", { name: "Users" }).click();
    const leave = page.getByRole("alertdialog", { name: "Leave without saving?" });
    await leave.getByRole("button", { name: "Cancel" }).click();
    await expect(address).toHaveValue(other);
    await page.getByRole("link", { name: "Account" }).click();
    await leave.getByRole("button", { name: "Cancel" }).click();
    await expect(address).toHaveValue(other);
    await page.getByRole("tab", { name: "Users" }).click();
    await leave.getByRole("button", { name: "Discard changes" }).click();
    await expect(page.getByRole("tab", { name: "Users" })).toHaveAttribute("aria-selected", "true");
    await page.getByRole("tab", { name: "Settings" }).click();
    await expect(address).toHaveValue(walletForm.bitcoin_address);
  });

  await test.step("a change is listed in full, with the password where it is needed", async () => {
    await address.fill(other);
    await page.getByLabel("Bitcoin price (USD)").fill("46000");
    await page.getByRole("button", { name: "Save settings" }).click();
    const dialog = page.getByRole("alertdialog", { name: "Save these changes?" });
    await expect(dialog.getByRole("term")).toHaveText([/^Bitcoin address/, /^Bitcoin price/]);
    for (const value of [walletForm.bitcoin_address, other, "45,000", "46,000"]) await expect(dialog).toContainText(value);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog.getByText("Please enter your current password.")).toBeVisible();
    await dialog.getByLabel("Your current password").fill("not the password");
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(dialog.getByText("Your current password is not correct.")).toBeVisible();
    await dialog.getByLabel("Your current password").fill(adminPassword);
    await dialog.getByRole("button", { name: "Save changes" }).click();
    await expect(page.getByText("Saved.")).toBeVisible();
    await expect(page.getByRole("button", { name: "Save settings" })).toBeFocused();
  });
  const saved = await shop.asAdmin("GET", "/api/wallet-settings");
  expect(saved).toMatchObject({ bitcoin_address: other, bitcoin_price_usd: "46000" });
  await shop.setWallets({});
});

// COUPON-5, COUPON-7, COUPON-8
test("a coupon of one use is added, used up by a student, and switched off and on", async ({ page, login, shop, browser }) => {
  await openSettings(page, login);
  const coupons = page.getByRole("region", { name: "Coupons" });
  const row = coupons.getByRole("listitem").filter({ hasText: "ONEUSE" }).first();
  await coupons.getByRole("button", { name: "Add coupon" }).click();
  await coupons.getByLabel("Code", { exact: true }).fill("oneuse");
  await coupons.getByLabel("For", { exact: true }).selectOption("Starter only");
  await coupons.getByLabel("Starter %").fill("20");
  await coupons.getByLabel("Most uses").fill("1");
  await coupons.getByRole("button", { name: "Save coupon" }).click();
  await expect(row).toContainText("Starter only, 20%");
  await expect(row).toContainText("0 of 1 use");

  const first = await studentsPage(shop, browser);
  const second = await studentsPage(shop, browser);
  await applyCoupon(first, "ONEUSE");
  await expect(first.getByText(/^Coupon ONEUSE applied: 20% off\..+kept for you until this quote ends\.$/)).toBeVisible();
  await applyCoupon(second, "ONEUSE");
  await expect(second.getByText("This coupon code has been used up.")).toBeVisible();

  await coupons.getByLabel("State", { exact: true }).selectOption("Active");
  await coupons.getByLabel("Search by code").fill("oneuse");
  await expect(page).toHaveURL(/state=active&search=oneuse/);
  await expect(coupons.getByRole("status").first()).toHaveText("1 coupon");
  await row.getByRole("button", { name: "Switch off ONEUSE" }).click();
  await expect(row.getByText("Off", { exact: true })).toBeVisible();
  await expect(row.getByRole("button", { name: "Switch on ONEUSE" })).toBeFocused();
  await applyCoupon(second, "ONEUSE");
  await expect(second.getByText("Invalid or expired coupon code")).toBeVisible();
  await row.getByRole("button", { name: "Switch on ONEUSE" }).click();
  await expect(row.getByText("Active", { exact: true })).toBeVisible();

  await row.getByRole("button", { name: "Edit ONEUSE" }).click();
  await coupons.getByLabel("Most uses").fill("2");
  await coupons.getByRole("button", { name: "Save coupon" }).click();
  await expect(row).toContainText("0 of 2 uses, 1 held by open quotes");
  await applyCoupon(second, "ONEUSE");
  await expect(second.getByText(/^Coupon ONEUSE applied: 20% off/)).toBeVisible();
  await Promise.all([first.context().close(), second.context().close()]);
});

// MAIL-11, ENVIRONMENT-1
test("a test mail says where it went, and the environment is listed without secrets", async ({ page, login }) => {
  await openSettings(page, login);
  await page.getByRole("button", { name: "Send a test mail to me" }).click();
  await expect(page.getByText(/^No mail server is set \(SMTP_URL\)/)).toBeVisible();
  const environment = page.getByRole("region", { name: "Environment", exact: true });
  await expect(environment.getByRole("heading", { name: "Environment" })).toBeVisible();
  await expect(environment.getByText("ADMIN_PASSWORD", { exact: true })).toBeHidden();
  await page.getByRole("navigation", { name: "Settings" }).getByRole("link", { name: "Environment" }).click();
  await expect(environment.getByRole("heading", { name: "Environment" })).toBeInViewport();
  await expect(environment.getByText("ADMIN_PASSWORD", { exact: true })).toBeVisible();
  await expect(environment).toContainText("Hidden");
  await expect(environment).not.toContainText(adminPassword);
});

async function studentsPage({ site }: Shop, browser: Browser): Promise<Page> {
  const member = await joinSite(site, `Buyer ${randomInt(1e9, 1e10)}`, true);
  const context = await windowOf(browser, site, member.session);
  const page = await context.newPage();
  await openPayment(page);
  return page;
}
