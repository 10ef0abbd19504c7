import { join } from "node:path";
import type { Page } from "@playwright/test";
import { expect, test } from "../support/browser/windows.ts";
import { login } from "../support/browser/login.ts";
import { adminEmail, adminPassword, startSite, storedScreenshot, type Site } from "../support/sites/site.ts";
import { saveWallets } from "../support/wallet/wallet-form.ts";

const screenshot = join(import.meta.dirname, "../support/payment-requests/receipt.png");
const film = join(import.meta.dirname, "../../samples/videos/elliott-wave-1.mp4");
const wallets = {
  "Bitcoin address": "bc1qw508d6qejxtdg4y5r3zarvary0c5xw7kv8f3t4",
  "Ethereum address": "0x5aAeb6053F3E94C9b9A09f33669435E7Ef1BeAed",
};
const lockedAddress = "https://films.example.com/advanced-secret";

interface NewVideo {
  title: string;
  tier: string;
  module: string;
  url?: string;
  file?: string;
}

async function addVideo(page: Page, video: NewVideo): Promise<void> {
  await page.getByRole("button", { name: "Add video" }).click();
  await page.getByLabel("Title").fill(video.title);
  await page.getByLabel("Description").fill(`About ${video.title}`);
  await page.getByLabel("Module", { exact: true }).fill(video.module);
  await page.getByLabel("Order index").fill("1");
  await page.getByLabel("Package", { exact: true }).selectOption(video.tier);
  if (video.url) await page.getByLabel("Video URL").fill(video.url);
  if (video.file) await page.locator('input[type="file"]').setInputFiles(video.file);
  await page.getByRole("button", { name: "Save video" }).click();
  await expect(page.getByRole("heading", { name: video.title })).toBeVisible();
}

/** Of its own: other journeys leave lessons, payment requests and their screenshots. */
let site: Site;
test.beforeAll(async () => {
  site = await startSite();
});
test.afterAll(() => site?.stop());

test("from the landing page to an unlocked video", async ({ browser }) => {
  const seen: string[] = [];
  const studentContext = await browser.newContext({ baseURL: site.url });
  const student = await studentContext.newPage();
  student.on("response", (response) => {
    void response.text().then(
      (text) => seen.push(text),
      () => {},
    );
  });
  const adminContext = await browser.newContext({ baseURL: site.url });
  const admin = await adminContext.newPage();

  await test.step("the admin signs in, sets up wallets and adds films", async () => {
    await login(admin, { email: adminEmail, password: adminPassword });
    await expect(admin).toHaveURL(/\/admin$/);
    await admin.getByRole("tab", { name: "Settings" }).click();
    for (const [label, value] of Object.entries(wallets)) await admin.getByLabel(label).fill(value);
    await saveWallets(admin);
    // The notice moves the tabs down.
    await expect(admin.getByText("The payment settings were changed in the last 72 hours")).toBeVisible();
    await admin.getByRole("tab", { name: "Videos" }).click();
    await addVideo(admin, { title: "Starter lesson", file: film, tier: "starter", module: "Forex Basics" });
    await addVideo(admin, { title: "Advanced lesson", url: lockedAddress, tier: "advanced", module: "Elliott Wave" });
    await admin.getByRole("tab", { name: "Payments" }).click();
  });

  await test.step("a visitor signs up and confirms the e-mail with the code", async () => {
    await student.goto("/");
    await student.getByRole("link", { name: "Start Learning Now" }).click();
    await expect(student).toHaveURL(/\/auth$/);
    await student.getByRole("button", { name: /sign up/i }).click();
    await expect(student.getByRole("heading", { name: "Create Account" })).toBeVisible();
    await student.getByLabel("Full Name").fill("Somchai Buyer");
    await student.getByLabel("Email").fill("somchai@example.com");
    await student.getByLabel("Password", { exact: true }).fill("a fine long password");
    await student.getByRole("button", { name: "Create Account" }).click();
    await expect(student.getByRole("button", { name: "Verify Email" })).toBeDisabled();
    const code = await site.codeFor("somchai@example.com");
    await student.getByRole("textbox", { name: "Verification code" }).focus();
    await student.keyboard.type(code);
    await student.getByRole("button", { name: "Verify Email" }).click();
    await expect(student).toHaveURL(/\/student$/);
    await expect(student.getByText("Welcome back, Somchai Buyer!")).toBeVisible();
    await expect(student.getByText("No Package")).toBeVisible();
    await expect(student.getByText("Purchase Required")).toHaveCount(2);
  });

  await test.step("applies LUNCH, pays by Bitcoin and submits the screenshot", async () => {
    await student.getByRole("link", { name: "Buy Starter Package" }).click();
    await expect(student).toHaveURL(/\/payment\?package=starter$/);
    await expect(student.getByText("50% OFF Starter & 70% OFF Advanced")).toBeVisible();
    await student.getByLabel("Coupon code").fill("lunch");
    await student.keyboard.press("Enter");
    const details = student.getByRole("region", { name: "Payment details" });
    await expect(details.getByText("$248.5 USD")).toBeVisible();
    await expect(details.getByText("0.00552222 BTC", { exact: true })).toBeVisible();
    await expect(details.getByText(wallets["Bitcoin address"])).toBeVisible();
    await expect(student.getByRole("button", { name: "Submit Payment Request" })).toBeDisabled();
    await student.getByLabel("Choose the payment screenshot").setInputFiles(screenshot);
    await student.getByRole("checkbox").check();
    await student.getByRole("button", { name: "Submit Payment Request" }).click();
    await expect(student.getByText("Payment Submitted!")).toBeVisible();
    await student.getByRole("link", { name: "Return to Dashboard" }).click();
    await expect(
      student.getByRole("article", { name: "Your Starter payment" }).getByText("Waiting for approval"),
    ).toBeVisible();
  });

  await test.step("the admin sees it at once, opens the screenshot and approves", async () => {
    const payments = admin.getByRole("tabpanel", { name: "Payments" });
    await expect(payments.getByRole("article", { name: "Somchai Buyer" })).toBeVisible();
    const opened = adminContext.waitForEvent("page");
    await payments.getByRole("button", { name: "View screenshot" }).click();
    const image = await opened;
    await image.waitForURL(storedScreenshot);
    await image.close();
    await payments.getByRole("checkbox", { name: "I have seen the money arrive" }).check();
    await payments.getByRole("button", { name: "Approve" }).click();
    await expect(admin.getByRole("dialog", { name: "Approved: somchai@example.com" })).toBeVisible();
  });

  await test.step("the open dashboard unlocks without a reload, and only what was bought", async () => {
    await expect(student.getByRole("banner").getByText("Starter Package")).toBeVisible();
    await expect(student.getByText("Purchase Required")).toHaveCount(1);
    const opened = studentContext.waitForEvent("page");
    await student.getByRole("button", { name: "Watch Now" }).click();
    const tab = await opened;
    await tab.waitForURL(/\/watch\/[0-9a-f-]{36}$/);
    const seconds = await tab.locator("video").evaluate(async (video: HTMLVideoElement) => {
      if (Number.isNaN(video.duration)) await new Promise((resolve) => video.addEventListener("loadedmetadata", resolve));
      return video.duration;
    });
    expect(seconds).toBeGreaterThan(1);
    expect(seen.join("\n")).not.toContain(lockedAddress);
    expect(await student.content()).not.toContain(lockedAddress);
  });
});
