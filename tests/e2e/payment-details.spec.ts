import { readFile } from "node:fs/promises";
import type { Locator, Page } from "@playwright/test";
import jsqr from "jsqr";
import sharp from "sharp";
import { applyCoupon, expect, openPayment, screenshotPicker, submitButton, test } from "../support/browser/checkout.ts";
import { translate } from "../support/browser/translate.ts";
import { adminEmail, adminPassword } from "../support/sites/site.ts";

const wallets = {
  bitcoin_address: "BC1QW508D6QEJXTDG4Y5R3ZARVARY0C5XW7KV8F3T4",
  ethereum_address: "0xfb6916095ca1df60bb79ce92ce3ea74c37c5d359",
  bitcoin_price_usd: "64250.5",
  ethereum_price_usd: "3120.25",
  thai_bank_name: "Kasikornbank",
  thai_bank_account_number: "012-3-45678-9",
  thai_bank_account_name: "Pipwright Co., Ltd.",
  promptpay_id: "081-234-5678",
};

test.use({ setup: { environment: { SITE_NAME: "Fox & Sons?" }, wallets } });

async function openDetails(page: Page, method: string): Promise<Locator> {
  await openPayment(page, "advanced");
  await applyCoupon(page, "LUNCH");
  await page.getByText("Coupon LUNCH applied: 70% off.").waitFor();
  await page.getByRole("radio", { name: method }).check();
  return page.getByRole("region", { name: "Payment details" });
}

/** What a phone would read of the code as it stands on the page. */
const scan = async (details: Locator): Promise<string> => read(await details.getByRole("img").screenshot());

/** Reads the code in a picture, by a decoder that did not make it. */
async function read(picture: Buffer): Promise<string> {
  const { data, info } = await sharp(picture).ensureAlpha().raw().toBuffer({ resolveWithObject: true });
  const code = jsqr(Uint8ClampedArray.from(data), info.width, info.height, { inversionAttempts: "dontInvert" });
  if (!code) throw new Error("The decoder found no QR code.");
  return code.data;
}

/** The text that the button with this name puts on the clipboard, confirmed on the button. */
async function copied(page: Page, details: Locator, what: string): Promise<string> {
  await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
  const button = details.getByRole("button", { name: `Copy ${what}` });
  // It says so for two seconds.
  await expect(async () => {
    await button.click();
    await expect(details.getByRole("button", { name: `Copied ${what}` })).toBeVisible({ timeout: 1500 });
  }).toPass();
  return page.evaluate(() => navigator.clipboard.readText());
}

for (const [name, look] of Object.entries({
  "on a desk, dark": { colorScheme: "dark", viewport: { width: 1440, height: 900 } },
  "on a phone, light": { colorScheme: "light", viewport: { width: 390, height: 844 } },
} as const)) {
  test.describe(name, () => {
    test.use(look);

    test("Bitcoin's code, link and copies hold the displayed address and amount", async ({ page }) => {
      const details = await openDetails(page, "Bitcoin");
      const address = wallets.bitcoin_address.toLowerCase();
      await expect(details.getByText(address, { exact: true })).toBeVisible();
      await expect(details.getByText("0.00465522 BTC", { exact: true })).toBeVisible();
      const text = await scan(details);
      expect(text).toBe(`bitcoin:${address}?amount=0.00465522&label=Fox%20%26%20Sons%3F`);
      await expect(details.getByRole("link", { name: "Open in wallet" })).toHaveAttribute("href", text);
      expect(await copied(page, details, "the address")).toBe(address);
      expect(await copied(page, details, "the amount")).toBe("0.00465522");
    });

    test("Ethereum's code asks for the displayed amount in wei", async ({ page }) => {
      const details = await openDetails(page, "Ethereum");
      const address = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
      await expect(details.getByText(address, { exact: true })).toBeVisible();
      await expect(details.getByText("0.09585770 ETH", { exact: true })).toBeVisible();
      const text = await scan(details);
      expect(text).toBe(`ethereum:${address}@1?value=95857700000000000`);
      await expect(details.getByRole("link", { name: "Open in wallet" })).toHaveAttribute("href", text);
      expect(await copied(page, details, "the address")).toBe(address);
    });

    test("PromptPay's code is beside the bank details and pays the displayed baht", async ({ page }) => {
      const details = await openDetails(page, "Thai Bank Transfer");
      for (const shown of ["Kasikornbank", "012-3-45678-9", "Pipwright Co., Ltd.", "0812345678", "10,468.50 THB"]) {
        await expect(details.getByText(shown, { exact: true })).toBeVisible();
      }
      const text = await scan(details);
      expect(text).toMatch(
        /^00020101021229370016A00000067701011101130066812345678(?=.*5802TH)(?=.*5303764)(?=.*540810468\.50).*6304[0-9A-F]{4}$/,
      );
      expect(await copied(page, details, "the account number")).toBe("012-3-45678-9");
      expect(await copied(page, details, "the amount")).toBe("10468.50");
      const download = page.waitForEvent("download");
      await details.getByRole("link").click();
      const saved = await download;
      expect(saved.suggestedFilename()).toBe("qr-10468.50-THB.png");
      expect(await read(await readFile(await saved.path()))).toBe(text);
    });
  });
}

test("the PromptPay picture is shared, and a cancelled share is no error", async ({ page }) => {
  await page.addInitScript(() => {
    const shared: string[] = [];
    Object.assign(navigator, {
      canShare: () => true,
      share: async ({ files: [file] }: { files: File[] }) => {
        shared.push(`${file?.name} ${file?.type}`);
        if (shared.length > 1) throw new DOMException("Share canceled", "AbortError");
      },
    });
    Object.assign(globalThis, { shared });
  });
  const details = await openDetails(page, "Thai Bank Transfer");
  for (let times = 0; times < 2; times++) await details.getByRole("button", { name: "Share QR image" }).click();
  const shared = () => page.evaluate(() => (globalThis as unknown as { shared: string[] }).shared);
  await expect.poll(shared).toEqual(["qr-10468.50-THB.png image/png", "qr-10468.50-THB.png image/png"]);
  await expect(page.getByRole("alert")).toHaveCount(0);
});

test("the notes of a bank transfer mention no hash and no exchange", async ({ page }) => {
  const details = await openDetails(page, "Bitcoin");
  const notes = page.getByRole("region", { name: "Important Notes" });
  await expect(notes).toContainText("exchange");
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  await expect(details.getByRole("heading", { name: "Thai Bank Transfer payment" })).toBeVisible();
  await expect(notes).toContainText("Keep the bank's receipt.");
  await expect(page.getByRole("main")).not.toContainText(/hash|exchange|wallet/i);
});

test("a reference of the wrong form is refused before anything is sent", async ({ page }) => {
  await openDetails(page, "Bitcoin");
  const field = page.getByLabel("Transaction reference");
  await field.fill("my payment");
  await field.blur();
  await expect(page.getByText("A Bitcoin transaction hash has 64 hexadecimal digits.")).toBeVisible();
  await page.getByRole("radio", { name: "Ethereum" }).check();
  await expect(page.getByText("An Ethereum transaction hash is 0x and 64 hexadecimal digits.")).toBeVisible();
  await field.fill(`0x${"AB".repeat(32)}`);
  await field.blur();
  await expect(field).not.toHaveAttribute("aria-invalid");
});

// TEXT-3
test("a page translated by the browser displays new amounts and takes the screenshot", async ({ page }) => {
  await openPayment(page, "advanced");
  const details = page.getByRole("region", { name: "Payment details" });
  await expect(details.getByText("0.01551739 BTC", { exact: true })).toBeVisible();
  await translate(page);
  await applyCoupon(page, "LUNCH");
  await expect(page.getByText("Coupon LUNCH applied: 70% off.")).toBeVisible();
  await expect(page.getByText("Advanced, $299.1", { exact: true })).toBeVisible();
  await expect(details.getByText("0.00465522 BTC", { exact: true })).toBeVisible();
  await expect(details.getByText("$299.1 USD", { exact: true })).toBeVisible();
  await page.getByRole("radio", { name: "Thai Bank Transfer" }).check();
  const kept = ["Kasikornbank", "012-3-45678-9", "Pipwright Co., Ltd.", "0812345678", "10,468.50 THB", "$299.1"];
  for (const text of kept) {
    await expect(page.getByText(text).first()).toBeVisible();
    await expect(page.locator("font").filter({ hasText: text })).toHaveCount(0);
  }
  await screenshotPicker(page).setInputFiles("tests/support/payment-requests/receipt.png");
  await page.getByRole("checkbox").check();
  await submitButton(page).click();
  await expect(page.getByRole("heading", { name: "Payment Submitted!" })).toBeVisible();
});

test.describe("the admin", () => {
  test.use({ storageState: { cookies: [], origins: [] } });

  test("reads in the wallet form what is wrong with an address, and keeps the old one", async ({ page, login }) => {
    await login(page, { email: adminEmail, password: adminPassword });
    await page.getByRole("tab", { name: "Settings" }).click();
    const bitcoin = page.getByLabel("Bitcoin address");
    const ethereum = page.getByLabel("Ethereum address");
    await bitcoin.fill("tb1qw508d6qejxtdg4y5r3zarvary0c5xw7kxpjzsx");
    await ethereum.fill("0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d35A");
    await page.getByRole("button", { name: "Save settings" }).click();
    await expect(page.getByText("This address is of another network than Bitcoin's main one.")).toBeVisible();
    await expect(page.getByText("The checksum of this Ethereum address (EIP-55) is wrong")).toBeVisible();
    await expect(bitcoin).toBeFocused();
    await page.reload();
    await page.getByRole("tab", { name: "Settings" }).click();
    await expect(bitcoin).toHaveValue(wallets.bitcoin_address.toLowerCase());
  });
});
