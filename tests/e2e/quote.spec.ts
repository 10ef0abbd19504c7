// Over 250 lines: what a quote goes through, from its coupon to a late payer.
import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import { texts } from "../../src/domain/texts/texts.ts";
import { receipt } from "../support/sites/course.ts";
import {
  applyCoupon,
  expect,
  openPayment,
  screenshotPicker,
  sentSum,
  submitButton,
  test,
  type Shop,
} from "../support/browser/checkout.ts";
import { expectDashboard } from "../support/browser/dashboard.ts";

const summary = (page: Page) => page.getByRole("region", { name: "Order summary" });
const renewal = (page: Page) => page.getByRole("status").filter({ hasText: "The quote expired and was renewed" });
const submitted = (page: Page) => page.getByRole("heading", { name: "Payment Submitted!" });

async function fillIn(page: Page): Promise<void> {
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox").check();
}

/** Holds what the page asks at an address until it is let go. */
async function hold(page: Page, address: string): Promise<() => void> {
  let letGo = (): void => {};
  const gate = new Promise<void>((resolve) => (letGo = resolve));
  await page.route(address, async (route) => {
    await gate;
    await route.continue();
  });
  return letGo;
}

/** A coupon of this test's own, 50% off Starter; returns a function that switches it off. */
async function newCoupon({ asAdmin }: Shop, code: string): Promise<() => Promise<unknown>> {
  await asAdmin("POST", "/api/coupons", { code, discount_starter: "50", discount_advanced: "70" });
  return () => asAdmin("PATCH", `/api/coupons/${code}`, { active: false });
}

test("a quote that ends during the upload is renewed, announced and submitted", async ({ page, shop, buyer }) => {
  await page.clock.install();
  await openPayment(page);
  await fillIn(page);
  const letGo = await hold(page, "**/storage/v1/upload/resumable/**");
  await submitButton(page).click();
  await expect(page.getByRole("progressbar")).toBeVisible();
  await shop.setWallets({ bitcoin_price_usd: "50000" });
  await page.clock.fastForward("30:05");
  await expect(renewal(page)).toContainText("Bitcoin: the amount is now 0.00994000 BTC instead of 0.01104444 BTC.");
  letGo();
  await expect(page.getByRole("alert")).toHaveText(errors.payment_details_changed.text);
  await expect(renewal(page)).toContainText("0.00994000 BTC");
  expect(await shop.requestsOf(buyer)).toEqual([]);

  let uploads = 0;
  page.on("request", (request) => (uploads += request.url().includes("/storage/") ? 1 : 0));
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(uploads).toBe(0);
  expect(await shop.requestsOf(buyer)).toMatchObject([{ amount_usd: "497", amount_crypto: "0.00994000" }]);
  await shop.setWallets({});
});

test("a quote that could not be renewed says so, and is renewed once back online", async ({ page }) => {
  await page.clock.install();
  await openPayment(page);
  await fillIn(page);
  await page.route("**/api/quotes", (route) => route.abort("internetdisconnected"));
  await page.clock.fastForward("30:05");
  const form = page.getByRole("region", { name: "Submit your payment" });
  await expect(form.getByRole("alert")).toContainText(errors.payment_info_failed.text);
  await expect(page.getByText("These amounts have expired.")).toBeVisible();
  await expect(page.getByRole("timer")).toBeHidden();
  await expect(submitButton(page)).toBeDisabled();

  await page.unroute("**/api/quotes");
  await page.context().setOffline(true);
  await page.context().setOffline(false);
  await expect(renewal(page)).toContainText("All amounts stay the same.");
  await expect(form.getByRole("alert")).toBeHidden();
  await expect(submitButton(page)).toBeEnabled();
});

// QUOTE-10
test("a page unused for an hour says that its amounts have expired", async ({ page, shop, buyer }) => {
  await page.clock.install();
  await openPayment(page);
  await fillIn(page);
  await page.clock.fastForward("30:05");
  await expect(renewal(page)).toContainText("All amounts stay the same.");
  await shop.setWallets({ bitcoin_price_usd: "50000" });
  await page.clock.fastForward("30:05");
  const expired = page.getByRole("status").filter({ hasText: "These amounts have expired." });
  await expect(expired).toBeVisible();
  await expect(submitButton(page)).toBeDisabled();
  await page.keyboard.press("Tab");
  await expect(expired).toBeVisible();

  await expired.getByRole("button", { name: "Show current amounts" }).click();
  await expect(renewal(page)).toContainText("Bitcoin: the amount is now 0.00994000 BTC instead of 0.01104444 BTC.");
  await expect(expired).toBeHidden();
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await shop.requestsOf(buyer)).toMatchObject([{ amount_crypto: "0.00994000" }]);
  await shop.setWallets({});
});

test("a quote that ends during a coupon check is renewed, whatever the result", async ({ page }) => {
  await page.clock.install();
  await openPayment(page);
  const letGo = await hold(page, "**/api/quotes");
  await applyCoupon(page, "NOPE");
  await page.clock.fastForward("30:05");
  letGo();
  await expect(page.getByText(errors.coupon_invalid.text)).toBeVisible();
  await expect(renewal(page)).toContainText("All amounts stay the same.");
  await expect(page.getByRole("timer")).toHaveText(/^(30:00|29:\d\d)$/);
});

test("a coupon is applied, removed, and refused when it is wrong or inactive", async ({ page, shop }) => {
  const endCoupon = await newCoupon(shop, "ONANDOFF");
  await openPayment(page);
  await applyCoupon(page, "onandoff");
  await expect(page.getByText("Coupon ONANDOFF applied: 50% off.")).toBeVisible();
  await expect(summary(page)).toContainText("$248.5");
  await summary(page).getByRole("button", { name: "Remove" }).click();
  await expect(summary(page).getByRole("button", { name: "Apply" })).toBeVisible();
  await expect(summary(page)).not.toContainText("$248.5");

  await applyCoupon(page, "WRONG");
  await expect(summary(page).getByRole("alert")).toHaveText(errors.coupon_invalid.text);
  await page.getByLabel("Coupon code").fill("");
  await expect(summary(page).getByRole("alert")).toBeHidden();
  await endCoupon();
  await applyCoupon(page, "ONANDOFF");
  await expect(summary(page).getByRole("alert")).toHaveText(errors.coupon_invalid.text);
});

test("an address that has changed when a coupon is applied is named", async ({ page, shop }) => {
  await openPayment(page);
  await shop.setWallets({ bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
  await applyCoupon(page, "LUNCH");
  await expect(page.getByText("Coupon LUNCH applied: 50% off.")).toBeVisible();
  const notice = page.getByRole("status").filter({ hasText: "More than the price has changed" });
  await expect(notice.getByRole("listitem")).toHaveText("Bitcoin: the address has changed. Please do not use the old one.");
  await summary(page).getByRole("button", { name: "Remove" }).click();
  await expect(summary(page).getByRole("button", { name: "Apply" })).toBeVisible();
  await expect(notice).toBeHidden();
  await shop.setWallets({});
});

test("a coupon that ends between apply and submit still holds for the quote it is in", async ({ page, shop, buyer }) => {
  const endCoupon = await newCoupon(shop, "PROMISED");
  await openPayment(page);
  await applyCoupon(page, "PROMISED");
  await expect(page.getByText("Coupon PROMISED applied: 50% off.")).toBeVisible();
  await endCoupon();
  await fillIn(page);
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await shop.requestsOf(buyer)).toMatchObject([
    { coupon_code: "PROMISED", discount_percent: "50", amount_usd: "248.5", amount_crypto: "0.00552222" },
  ]);
});

test("a coupon that has ended is dropped at the renewal, which says so", async ({ page, shop, buyer }) => {
  const endCoupon = await newCoupon(shop, "GONESOON");
  await page.clock.install();
  await openPayment(page);
  await applyCoupon(page, "GONESOON");
  await expect(page.getByText("Coupon GONESOON applied: 50% off.")).toBeVisible();
  await fillIn(page);
  await endCoupon();
  await page.clock.fastForward("30:05");
  await expect(renewal(page)).toContainText("The coupon GONESOON no longer applies.");
  await expect(renewal(page)).toContainText("The price is now $497 USD instead of $248.5 USD.");
  await expect(summary(page)).toContainText("$497");
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await shop.requestsOf(buyer)).toMatchObject([{ coupon_code: null, amount_usd: "497" }]);
});

// PAY-11: the coupon that a late payer paid by may take everything off by now.
test("a late payer whose price is covered now names the amount they have sent", async ({ page, shop, buyer }) => {
  await shop.asAdmin("POST", "/api/coupons", { code: "ALLOFF", discount_starter: "100", discount_advanced: "100" });
  const paid = await buyer.call("POST", "/api/quotes", { package_type: "starter" });
  await page.route("**/api/quotes", async (route) => {
    const reply = await route.fetch();
    await route.fulfill({ response: reply, json: { ...(await reply.json()), earlier: [paid] } });
  });
  await openPayment(page);
  await applyCoupon(page, "ALLOFF");
  await expect(page.getByRole("heading", { name: "Nothing left to pay" })).toBeVisible();
  await page.getByRole("button", { name: "Name the earlier amount" }).click();
  const form = page.getByRole("region", { name: "Submit your payment" });
  await expect(form).toBeFocused();
  await page.getByRole("button", { name: "Submit without a payment" }).click();
  await expect(form).toBeFocused();
  await page.getByRole("button", { name: "Name the earlier amount" }).click();
  await page.reload();
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox", { name: "I have read" }).check();
  await expect(submitButton(page)).toBeDisabled();
  await expect(page.getByText("You have sent")).toBeHidden();
  await page.getByRole("checkbox", { name: "I have already sent 17,395.00 THB" }).check();
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await shop.requestsOf(buyer)).toMatchObject([
    { amount_usd: "0", crypto_type: "thai_bank", paid_by_earlier_quote: { amount_usd: "497", amount_crypto: "17395.00" } },
  ]);
});

// JOURNEY-3
test("a form that was left comes back with its coupon and its figures", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await applyCoupon(page, "LUNCH");
  await fillIn(page);
  await expect(sentSum(page)).toContainText("0.00552222 BTC");
  // The figures of a new quote would differ.
  await shop.setWallets({ bitcoin_price_usd: "50000" });
  await page.getByRole("link", { name: texts.payment.backToDashboard }).click();
  await expectDashboard(page);
  await page.goBack();
  await expect(page.getByText("receipt.png")).toBeVisible();
  await expect(page.getByLabel("Coupon code")).toHaveValue("LUNCH");
  await expect(sentSum(page)).toContainText("0.00552222 BTC");
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  await shop.setWallets({});
  const [request] = await shop.requestsOf(buyer);
  expect(request).toMatchObject({ coupon_code: "LUNCH", amount_crypto: "0.00552222" });
});

// JOURNEY-3, QUOTE-2: a phone discards the page while its person pays in the bank's app.
test("a page that is reloaded has its quote and all input but the file", async ({ page, buyer, shop }) => {
  await openPayment(page);
  await applyCoupon(page, "LUNCH");
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await page.getByLabel(/reference/i).fill("TH-42");
  await fillIn(page);
  await expect(sentSum(page)).toContainText("8,697.50 THB");
  await page.reload();
  await expect(page.getByRole("checkbox", { name: "I have read" })).toBeChecked();
  await screenshotPicker(page).setInputFiles(receipt);
  await expect(sentSum(page)).toContainText("8,697.50 THB");
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect(await page.evaluate(() => sessionStorage.getItem("kept-state"))).toBeNull();
  const [request] = await shop.requestsOf(buyer);
  expect(request).toMatchObject({ coupon_code: "LUNCH", amount_crypto: "8697.50", reference: "TH42" });
});
