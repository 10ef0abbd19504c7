import { freshReceipt } from "../support/sites/course.ts";
import { expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";
import { adminSessionOf, windowOf } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";

const hash = (digit: string): string => digit.repeat(64);

const ways = [
  {
    method: "Bitcoin",
    reference: hash("B"),
    stored: {
      crypto_type: "bitcoin",
      amount_crypto: "0.00664667",
      wallet_address: walletForm.bitcoin_address,
      reference: hash("b"),
    },
    amount: "0.00664667 BTC",
    explorer: `https://mempool.space/tx/${hash("b")}`,
  },
  {
    method: "Ethereum",
    reference: `0x${hash("E")}`,
    stored: {
      crypto_type: "ethereum",
      amount_crypto: "0.09970000",
      wallet_address: walletForm.ethereum_address,
      reference: `0x${hash("e")}`,
    },
    amount: "0.09970000 ETH",
    explorer: `https://etherscan.io/tx/0x${hash("e")}`,
  },
  {
    method: "Thai Bank Transfer",
    reference: "kbank-20261121.7",
    stored: {
      crypto_type: "thai_bank",
      amount_crypto: "10468.50",
      wallet_address: `${walletForm.thai_bank_name} ${walletForm.thai_bank_account_number}`,
      reference: "KBANK202611217",
    },
    amount: "10,468.50 THB",
    explorer: undefined,
  },
];

for (const { method, reference, stored, amount, explorer } of ways) {
  test(`a payment by ${method} is submitted, approved, and unlocks the package`, async ({
    page,
    browser,
    site,
    shop,
    buyer,
  }) => {
    await openPayment(page, "advanced");
    await page.getByLabel("Coupon code").fill("LUNCH");
    await page.keyboard.press("Enter");
    await page.getByText("Coupon LUNCH applied: 70% off.").waitFor();
    await page.getByRole("radio", { name: method }).check();
    await expect(page.getByRole("region", { name: "Payment details" })).toContainText(amount);
    // Nobody else's picture: one that was sent before asks once more at the approval.
    const picture = { name: "paid.png", mimeType: "image/png", buffer: await freshReceipt() };
    await screenshotPicker(page).setInputFiles(picture);
    await page.getByLabel("Transaction reference").fill(reference);
    await page.getByRole("checkbox").check();
    await submitButton(page).click();
    await expect(page.getByText("Payment Submitted!")).toBeVisible();
    expect(await shop.requestsOf(buyer)).toMatchObject([{ ...stored, amount_usd: "299.1", status: "pending" }]);

    const context = await windowOf(browser, site, await adminSessionOf(site));
    const admin = await context.newPage();
    // By a search, since the queue has the oldest first, a page at a time.
    await admin.goto(`/admin?tab=payments&search=${buyer.email}`);
    await admin.getByRole("navigation", { name: "Pending payment requests" }).getByRole("link", { name: buyer.email }).click();
    const payment = admin.getByRole("article").filter({ hasText: buyer.email }).getByRole("region", { name: "Payment" });
    await expect(payment).toContainText(amount);
    await expect(payment).toContainText(stored.wallet_address);
    if (explorer === undefined) await expect(payment).toContainText(stored.reference);
    else await expect(payment.getByRole("link", { name: "opens in a new tab" })).toHaveAttribute("href", explorer);
    await admin.getByRole("checkbox", { name: "I have seen the money arrive" }).check();
    await admin.getByRole("button", { name: `Approve the payment of ${buyer.email}` }).click();
    await expect(admin.getByRole("dialog", { name: `Approved: ${buyer.email}` })).toBeVisible();
    await admin.goto(`/admin?tab=payments&status=approved&search=${buyer.email}`);
    const row = admin.getByRole("row").filter({ has: admin.getByRole("rowheader", { name: buyer.email }) });
    await expect(row.getByRole("cell", { name: "approved" })).toBeVisible();
    await expect(row).toContainText(amount);
    await context.close();

    await page.goto("/student");
    await expect(page.getByRole("banner").getByText("Advanced Package")).toBeVisible();
  });
}
