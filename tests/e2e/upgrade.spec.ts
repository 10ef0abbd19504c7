import type { Page } from "@playwright/test";
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
import type { Member } from "../support/sites/members.ts";

test.use({ setup: { environment: { UPGRADE_CREDIT: "on" }, wallets: {} } });

async function submit(page: Page): Promise<void> {
  await screenshotPicker(page).setInputFiles(receipt);
  await page.getByRole("checkbox", { name: "I have read" }).check();
  await submitButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();
}

async function approveNewest(shop: Shop, buyer: Member): Promise<{ id: string }> {
  const [request] = await shop.requestsOf(buyer);
  return shop.asAdmin("POST", `/api/payment-requests/${request.id}/approve`, {});
}

async function couponApplied(page: Page, percent: number): Promise<void> {
  await applyCoupon(page, "LUNCH");
  await expect(page.getByText(`Coupon LUNCH applied: ${percent}% off.`)).toBeVisible();
}

test("what was paid for Starter is taken off Advanced, from the offer to the receipt", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await couponApplied(page, 50);
  await submit(page);
  await approveNewest(shop, buyer);

  await page.goto("/student");
  const offer = page.getByRole("region", { name: "Step up to Advanced" });
  for (const line of ["$997", "−$248.5", "$748.5"]) await expect(offer.getByText(line, { exact: true })).toBeVisible();
  await offer.getByRole("link", { name: "Upgrade to Advanced" }).click();
  await submitButton(page).waitFor();
  await couponApplied(page, 70);
  const details = page.getByRole("region", { name: "Payment details" });
  for (const line of ["$997", "−$697.9", "−$248.5", "$50.6 USD"]) {
    await expect(details.getByText(line, { exact: true })).toBeVisible();
  }
  await expect(page.getByRole("region", { name: "Order summary" }).getByText("−$248.5")).toBeVisible();
  await submit(page);
  expect((await shop.requestsOf(buyer))[0]).toMatchObject({
    amount_usd: "50.6",
    upgrade_credit_usd: "248.5",
    coupon_code: "LUNCH",
  });

  const { id } = await approveNewest(shop, buyer);
  await page.goto(`/student/receipts/${id}`);
  await expect(page.getByRole("article")).toContainText("Paid for Starter−$248.5");
  await expect(page.getByRole("article")).toContainText("$50.6 USD");
});

test("a fully covered price leaves one button, and the request names no payment", async ({ page, shop, buyer }) => {
  await openPayment(page);
  await submit(page);
  await approveNewest(shop, buyer);
  await openPayment(page, "advanced");
  await couponApplied(page, 70);
  const form = page.getByRole("region", { name: "Submit your payment" });
  await expect(form.getByRole("heading", { name: "Nothing left to pay" })).toBeVisible();
  for (const gone of [page.getByRole("img"), page.getByRole("radio"), page.getByRole("checkbox"), screenshotPicker(page)]) {
    await expect(gone).toHaveCount(0);
  }
  await expect(page.getByLabel("Transaction reference")).toHaveCount(0);
  await expect(page.getByText(/send the exact amount/i)).toHaveCount(0);
  await submitButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeFocused();
  await expect(page.getByRole("main")).toContainText("Nothing to pay");
  const [request] = await shop.requestsOf(buyer);
  const nothing = { crypto_type: null, amount_crypto: null, screenshot_url: null, reference: null };
  expect(request).toMatchObject({ ...nothing, amount_usd: "0", upgrade_credit_usd: "299.1", status: "pending" });

  await shop.asAdmin("POST", `/api/payment-requests/${request.id}/reject`, { reason: "Please ask again in June." });
  await page.getByRole("button", { name: "Submit again for Advanced" }).click();
  await expect(screenshotPicker(page)).toHaveCount(0);
  await submitButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeFocused();
  await approveNewest(shop, buyer);
  await expect(page.getByText("Approved: your Advanced package is unlocked")).toBeVisible();
});
