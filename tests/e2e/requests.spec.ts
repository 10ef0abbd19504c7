// Over 250 lines: the life of a payment request after its submit, by journeys that share their helpers.
import { randomBytes } from "node:crypto";
import type { Page } from "@playwright/test";
import { errors } from "../../src/domain/errors/messages.ts";
import {
  applyCoupon,
  expect,
  openPayment,
  screenshotPicker,
  submitButton,
  test,
  type Shop,
} from "../support/browser/checkout.ts";
import { receipt } from "../support/sites/course.ts";
import { adminSessionOf, joinSite, windowOf, type Member } from "../support/sites/members.ts";
import { storedScreenshot } from "../support/sites/site.ts";

const submitted = (page: Page) => page.getByRole("heading", { name: "Payment Submitted!" });
const payments = (page: Page) => page.getByRole("table", { name: "Your payments, newest first" });

async function submit(page: Page, reference = ""): Promise<void> {
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByLabel("Transaction reference").fill(reference);
  await page.getByRole("checkbox", { name: "I have read" }).check();
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
}

/** The admin decides the student's newest request; returns it as it was before. */
async function decide(shop: Shop, buyer: Member, reason?: string): Promise<any> {
  const [request] = await shop.requestsOf(buyer);
  const body = reason === undefined ? {} : { reason };
  await shop.asAdmin("POST", `/api/payment-requests/${request.id}/${reason === undefined ? "approve" : "reject"}`, body);
  return request;
}

test("a rejected payment is submitted again, approved, and has a receipt", async ({ page, shop, buyer }) => {
  const reference = randomBytes(32).toString("hex");
  const reason = "The screenshot is cut off at the amount.";
  await openPayment(page);
  await applyCoupon(page, "LUNCH");
  await expect(page.getByText("Coupon LUNCH applied: 50% off.")).toBeVisible();
  await submit(page, reference);
  await decide(shop, buyer, reason);

  await test.step("the dashboard and the payment page tell the reason", async () => {
    await page.getByRole("link", { name: "Return to Dashboard" }).click();
    const row = payments(page).getByRole("row", { name: "Starter" });
    await expect(row).toContainText("Rejected");
    await expect(row).toContainText(`Reason: ${reason}`);
    await expect(row).toContainText("$248.5 USD");
    await expect(row).toContainText("0.00552222 BTC");
    await expect(row.getByRole("link", { name: reference.slice(0, 8) })).toHaveAttribute("href", new RegExp(reference));
    await openPayment(page, "advanced");
    const history = page.getByRole("region", { name: "Your payments" });
    await expect(history).toContainText(`Reason: ${reason}`);
    await history.getByRole("link", { name: "Submit again for Starter" }).click();
    await expect(page).toHaveURL(/\/payment\?package=starter$/);
    const notice = page.getByRole("alert").filter({ hasText: "was not approved" });
    await expect(notice).toContainText(`Reason: ${reason}`);
    await expect(page.getByText(`Reason: ${reason}`)).toHaveCount(1);
    await expect(page.getByRole("link", { name: /^Submit again/ })).toHaveCount(0);
  });

  await test.step("the same payment goes through with nothing entered again, and nobody is asked to pay twice", async () => {
    const figures = page.getByRole("region", { name: "Your payment", exact: true });
    for (const text of ["$497", "−$248.5", "$248.5 USD", "0.00552222 BTC"]) await expect(figures).toContainText(text);
    await expect(page.getByLabel("Transaction reference")).toHaveValue(reference);
    await submitButton(page).click();
    await expect(submitted(page)).toBeVisible();
    await page.goto("/payment?package=starter");
    await expect(submitted(page)).toBeVisible();
    await expect(page.getByText("There is nothing more to pay.")).toBeVisible();
    await expect(submitButton(page)).toHaveCount(0);
    await page.getByRole("link", { name: "Return to Dashboard" }).click();
    await expect(payments(page).getByRole("row", { name: "Starter" })).toHaveText([/Waiting for approval/, /Rejected/]);
  });

  await test.step("the receipt has the stored figures", async () => {
    const { id } = await decide(shop, buyer);
    const stored = await shop.asAdmin("GET", `/api/payment-requests/${id}/receipt`);
    await page.goto("/student");
    await payments(page)
      .getByRole("link", { name: `Receipt ${stored.receipt_number}` })
      .click();
    await expect(page.getByRole("heading", { name: `Receipt ${stored.receipt_number}` })).toBeVisible();
    await expect(page).toHaveTitle(`Receipt ${stored.receipt_number} – Pipwright`);
    const sheet = page.getByRole("article");
    const shown = [buyer.email, stored.full_name, "$497", "coupon LUNCH (50%)", "−$248.5", "$248.5 USD", "0.00552222 BTC"];
    for (const text of [...shown, stored.wallet_address, reference, id]) await expect(sheet).toContainText(text);
  });

  await test.step("and prints on one sheet of either size, black on white, without the page's buttons", async () => {
    await page.emulateMedia({ media: "print", colorScheme: "dark" });
    await expect(page.getByRole("button", { name: "Print" })).toBeHidden();
    await expect(page.getByRole("banner")).toBeHidden();
    await expect(page.locator("body")).toHaveCSS("background-color", "rgb(255, 255, 255)");
    await expect(page.getByRole("article")).toHaveCSS("color", "rgb(0, 0, 0)");
    for (const format of ["A4", "Letter"]) {
      const pdf = (await page.pdf({ format })).toString("latin1");
      expect(pdf.match(/\/Type\s*\/Page\b/g)).toHaveLength(1);
    }
    await page.emulateMedia({ media: null, colorScheme: null });
  });

  await test.step("Advanced is offered at its full price", async () => {
    await page.goto("/student");
    const offer = page.getByRole("region", { name: "Step up to Advanced" });
    await expect(offer).toContainText("Weekly Live Mentorship");
    await expect(offer).toContainText("$997");
    await offer.getByRole("link", { name: "Upgrade to Advanced" }).click();
    const summary = page.getByRole("region", { name: "Order summary" });
    await expect(summary).toContainText("$997");
    await expect(summary).not.toContainText("Paid for Starter");
  });
});

test("the submitted page shows the rejection, a new submit, and the approval live", async ({ page, shop, buyer }) => {
  await openPayment(page, "advanced");
  await submit(page);
  const outcome = page.getByRole("main").getByRole("status");
  await expect(outcome).toContainText("approve your access within 24 hours");
  await decide(shop, buyer, "The amount is too low.");
  await expect(outcome).toContainText("Reason: The amount is too low.");
  await page.getByRole("button", { name: "Submit again for Advanced" }).click();
  await expect(page.getByRole("heading", { name: "Advanced package", level: 1 })).toBeFocused();
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  await expect(outcome).toContainText("approve your access within 24 hours");
  await decide(shop, buyer);
  await expect(outcome).toContainText("Approved: your Advanced package is unlocked");
  await expect(page.getByRole("heading", { name: "What happens next?" })).toBeVisible();
  await page.getByRole("link", { name: "Return to Dashboard" }).click();
  await expect(page.getByText("Advanced Package", { exact: true })).toBeVisible();
});

test("a rejected request keeps its figures when coupon, prices and account change", async ({ page, shop, buyer }) => {
  await shop.asAdmin("POST", "/api/coupons", { code: "BEFORE", discount_starter: "50", discount_advanced: "70" });
  await openPayment(page, "advanced");
  await applyCoupon(page, "BEFORE");
  await expect(page.getByText("Coupon BEFORE applied: 70% off.")).toBeVisible();
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await submit(page);
  const refused = await decide(shop, buyer, "The screenshot is cut off.");
  await shop.asAdmin("DELETE", "/api/coupons/BEFORE");
  await shop.setWallets({ thai_bank_account_number: "999-9-99999-9", bitcoin_price_usd: "50000" });

  await page.goto("/payment?package=advanced");
  const figures = page.getByRole("region", { name: "Your payment", exact: true });
  for (const text of ["$299.1 USD", "10,468.50 THB", "Kasikornbank 012-3-45678-9", "This is the old account"]) {
    await expect(figures).toContainText(text);
  }
  for (const text of ["999-9-99999-9", "BTC", "34,895.00"]) await expect(page.getByRole("main")).not.toContainText(text);
  await expect(page.getByRole("img")).toHaveCount(0);
  await screenshotPicker(page).setInputFiles(receipt);
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  const same = ["amount_usd", "amount_crypto", "crypto_type", "wallet_address", "coupon_code", "discount_percent"] as const;
  const [again] = await shop.requestsOf(buyer);
  expect(again.resubmits).toBe(refused.id);
  for (const name of same) expect([name, again[name]]).toEqual([name, refused[name]]);
  expect(again.screenshot_url).not.toBe(refused.screenshot_url);
  await shop.setWallets({});
});

test("a buyer who sent too little reads what is still owed, and where to send it now", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await submit(page);
  const [{ id }] = await shop.requestsOf(buyer);
  const body = { reason: "The amount is too low.", amount_received: "17000" };
  await shop.asAdmin("POST", `/api/payment-requests/${id}/reject`, body);
  await shop.setWallets({ thai_bank_account_number: "999-9-99999-9" });
  await page.goto("/payment?package=starter");
  const owed = page.getByRole("region", { name: "Still to pay" });
  for (const text of ["17,000.00 THB has arrived", "395.00 THB", "999-9-99999-9"]) await expect(owed).toContainText(text);
  await expect(page.getByRole("alert")).toContainText("still to pay 395.00 THB");
  await expect(page.getByRole("button", { name: "Start with today's amounts" })).toHaveCount(0);
  await expect(page.getByRole("region", { name: "Your payment", exact: true })).toContainText("This is the old account");
  await screenshotPicker(page).setInputFiles(receipt);
  await submitButton(page).click();
  await expect(submitted(page)).toBeVisible();
  expect((await shop.requestsOf(buyer))[0]).toMatchObject({ amount_crypto: "17395.00", resubmits: id });
  await shop.setWallets({});
});

test("a student who has sent nothing starts anew at today's amounts", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await submit(page);
  await decide(shop, buyer, "Nothing has arrived.");
  await page.goto("/payment?package=starter");
  await page.getByRole("button", { name: "Start with today's amounts" }).click();
  await expect(page.getByRole("heading", { name: "Starter package" })).toBeFocused();
  const details = page.getByRole("region", { name: "Payment details" });
  await expect(details).toContainText("0.01104444 BTC");
  // JOURNEY-3: a phone may discard the page while its student pays in another app.
  await page.reload();
  await expect(details).toContainText("0.01104444 BTC");
  await page.getByRole("button", { name: "Fix what was refused" }).click();
  await expect(page.getByRole("heading", { name: "Fix what was refused" })).toBeVisible();
  await expect(page.getByRole("heading", { name: "Starter package" })).toBeFocused();
});

test("a receipt is hidden before approval, from others, and under a made-up id", async ({
  page,
  shop,
  buyer,
  site,
  browser,
}) => {
  await openPayment(page);
  await submit(page);
  const [{ id }] = await shop.requestsOf(buyer);
  await page.goto(`/student/receipts/${id}`);
  await expect(page.getByText(errors.receipt_not_found.text)).toBeVisible();
  await decide(shop, buyer);
  await expect(page.getByRole("heading", { name: /^Receipt 20/ })).toBeVisible();

  const stranger = await joinSite(site, "Curious Stranger", true);
  const context = await windowOf(browser, site, stranger.session);
  const other = await context.newPage();
  for (const address of [id, crypto.randomUUID(), "2026-00001"]) {
    await other.goto(`/student/receipts/${address}`);
    await expect(other.getByText(errors.payment_request_not_found.text)).toBeVisible();
    await expect(other.locator("body")).not.toContainText(buyer.email);
    await expect(other.locator("body")).not.toContainText("$497");
  }
  await context.close();
});

test("the student's own screenshot opens from the dashboard", async ({ page }) => {
  await openPayment(page);
  await submit(page);
  await page.goto("/student");
  const opened = page.waitForEvent("popup");
  await payments(page).getByRole("button", { name: "Screenshot" }).click();
  await (await opened).waitForURL(storedScreenshot);
});

test("the typical approval time stands wherever one waits, once there is one", async ({ page }) => {
  await page.route("**/api/approval-time", (route) => route.fulfill({ json: { typical_seconds: 9800 } }));
  const measured = "Lately it took about 3 hours.";
  await openPayment(page);
  await expect(page.getByRole("region", { name: "Submit your payment" })).toContainText(`usually within 24 hours. ${measured}`);
  await submit(page);
  await expect(page.getByRole("main").getByRole("status")).toContainText(`within 24 hours. ${measured}`);
  await page.getByRole("link", { name: "Return to Dashboard" }).click();
  await expect(payments(page)).toContainText(`Usually within 24 hours. ${measured}`);
});

test("the box for earlier amounts keeps the focus while the keyboard toggles it", async ({ page }) => {
  // The server's clock cannot be moved here, so an ended quote is put into its answer.
  await page.route("**/api/quotes", async (route) => {
    const reply = await route.fetch();
    const quote = await reply.json();
    const methods = quote.methods.map((method: object) => ({ ...method, amount_crypto: "0.01000000" }));
    await route.fulfill({ response: reply, json: { ...quote, earlier: [{ ...quote, methods }] } });
  });
  await openPayment(page);
  await page.getByText("Have you paid by earlier amounts?").focus();
  await page.keyboard.press("Enter");
  await page.keyboard.press("Tab");
  const box = page.getByRole("checkbox", { name: "I have already sent 0.01000000 BTC" });
  await page.keyboard.press("Space");
  await expect(page.getByText("You have sent").locator("..")).toContainText("0.01000000 BTC");
  await expect(box).toBeFocused();
  await page.keyboard.press("Space");
  await expect(box).not.toBeChecked();
  await expect(box).toBeFocused();
});

test("a late student names the amount they paid by, and the admin sees it", async ({ page, shop, buyer, site, browser }) => {
  // The server's clock cannot be moved here, so what it would tell of the ended quote is put into its answer.
  let before: any;
  await page.route("**/api/quotes", async (route) => {
    const reply = await route.fetch();
    const quote = await reply.json();
    if (before) quote.earlier = [before];
    before ??= quote;
    await route.fulfill({ response: reply, json: quote });
  });
  await page.clock.install();
  await openPayment(page);
  await shop.setWallets({ bitcoin_price_usd: "50000", bitcoin_address: "1BvBMSEYstWetqTFn5Au4m4GFg7xJaNVN2" });
  await page.clock.fastForward("30:05");
  await expect(page.getByRole("status").filter({ hasText: "The quote expired and was renewed" })).toBeVisible();
  const sent = page.getByText("You have sent").locator("..");
  await expect(sent).toBeHidden();
  await page.getByRole("checkbox", { name: "I have already sent 0.01104444 BTC to the earlier address" }).check();
  await expect(sent).toContainText("0.01104444 BTC");
  await submit(page);
  expect(await shop.requestsOf(buyer)).toMatchObject([
    {
      amount_crypto: "0.00994000",
      paid_by_earlier_quote: { amount_crypto: before.methods[0].amount_crypto, amount_usd: "497" },
    },
  ]);

  const admin = await windowOf(browser, site, await adminSessionOf(site));
  const tab = await admin.newPage();
  // By a search, since the queue has the oldest first, a page at a time.
  await tab.goto(`/admin?tab=payments&search=${buyer.email}`);
  await tab.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: buyer.email }).click();
  const payment = tab.getByRole("article").filter({ hasText: buyer.email }).getByRole("region", { name: "Payment" });
  await expect(payment).toContainText("Says they sent 0.01104444 BTC to bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4");
  await expect(payment).toContainText("$497 then, worth $552.22 now");
  await admin.close();
  await shop.setWallets({});
});
