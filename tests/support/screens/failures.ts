import { closeSync, ftruncateSync, openSync } from "node:fs";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import type { Page } from "@playwright/test";
import { receipt } from "../sites/course.ts";
import { login } from "../browser/login.ts";
import { emptied, keepWaiting, refuse, type Screen } from "./screen.ts";

/** Chooses a file that says it has 5 GB, without a disk that has them. */
async function chooseHugeFile(page: Page, name: string): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "huge-"));
  const path = join(folder, name);
  const file = openSync(path, "w");
  ftruncateSync(file, 5 * 1024 ** 3);
  closeSync(file);
  await page.locator('input[type="file"]').setInputFiles(path);
  await page.getByRole("alert").first().waitFor();
  await rm(folder, { recursive: true });
}

/** Sends a form whose button is disabled, as a browser extension might. */
const sendAnyway = (page: Page, button: string): Promise<void> =>
  page.getByRole("button", { name: button }).evaluate((element: HTMLButtonElement) => element.form?.requestSubmit());

const signIn = (page: Page): Promise<void> => login(page, { email: "nobody@example.com", password: "not the password" });
const signUp = async (page: Page, email: string): Promise<void> => {
  await page.goto("/auth");
  await page.getByRole("button", { name: "Sign up" }).click();
  await page.getByLabel("Full Name").fill("Nobody Yet");
  await page.getByLabel("Email").fill(email);
  await page.getByLabel("Password", { exact: true }).fill("a fine long password");
  await page.getByRole("button", { name: "Create Account" }).click();
};
const typeCode = async (page: Page, code: string): Promise<void> => {
  await page.goto("/auth");
  await page.getByRole("textbox", { name: "Verification code" }).focus();
  await page.keyboard.type(code);
};
const openVideoForm = async (page: Page): Promise<void> => {
  await page.goto("/admin?tab=videos");
  await page.getByRole("button", { name: "Add video" }).click();
};
const wrongFile = { name: "notes.txt", mimeType: "text/plain", buffer: Buffer.from("no film") };
const failure = (name: string, as: Screen["as"], open: Screen["open"]): Screen => ({ name, as, open });
const changingSession = (screen: Screen): Screen => ({ ...screen, changesSession: true });

/** Errors that need no look at the whole screen, only at their words. */
export const failures: Screen[] = [
  failure("auth not reachable", "visitor", async (page) => {
    await page.route("**/auth/v1/token*", (route) => route.abort());
    await signIn(page);
  }),
  failure("sign-up with the admin's address", "visitor", (page) => signUp(page, "owner@example.com")),
  changingSession(
    failure("first code not mailed", "visitor", async (page) => {
      await refuse(page, "**/functions/v1/send-verification-email");
      await signUp(page, "not.mailed@example.com");
    }),
  ),
  failure("code incomplete", "unverified", async (page) => {
    await typeCode(page, "123");
    await sendAnyway(page, "Verify Email");
  }),
  failure("verification failed", "unverified", async (page) => {
    await refuse(page, "**/functions/v1/verify-email");
    await typeCode(page, "123456");
    await page.getByRole("button", { name: "Verify Email" }).click();
  }),
  failure("coupon empty", "unpaid", async (page) => {
    await page.goto("/payment");
    await page.getByRole("button", { name: "Apply" }).click();
  }),
  failure("coupon not looked up", "unpaid", async (page) => {
    await page.goto("/payment");
    await page.getByLabel("Coupon code").fill("LUNCH");
    await refuse(page, "**/api/quotes");
    await page.getByRole("button", { name: "Apply" }).click();
  }),
  failure("no screenshot", "unpaid", async (page) => {
    await page.goto("/payment");
    await sendAnyway(page, "Submit Payment Request");
  }),
  failure("screenshot no image", "unpaid", async (page) => {
    await page.goto("/payment");
    await page.locator('input[type="file"]').setInputFiles(wrongFile);
  }),
  failure("screenshot too large", "unpaid", async (page) => {
    await page.goto("/payment");
    await chooseHugeFile(page, "huge.png");
  }),
  failure("submit failed", "unpaid", async (page) => {
    await refuse(page, "**/api/payment-requests");
    await page.goto("/payment");
    await page.locator('input[type="file"]').setInputFiles(receipt);
    await page.getByRole("checkbox").check();
    await page.getByRole("button", { name: "Submit Payment Request" }).click();
  }),
  failure("dashboard data not loaded", "admin", async (page) => {
    await refuse(page, "**/api/stats*");
    await page.goto("/admin");
  }),
  changingSession(
    failure("session gone", "admin", async (page) => {
      await emptied(page, "**/api/**");
      await keepWaiting(page, "**/api/wallet-settings");
      await page.route("**/api/me", async (route) => {
        const reply = await route.fetch();
        await page.evaluate(() => localStorage.clear());
        await route.fulfill({ response: reply });
      });
      await page.goto("/admin?tab=users");
    }),
  ),
  failure("tier not changed", "admin", async (page) => {
    await page.goto("/admin?tab=users");
    const menu = page.getByRole("button", { name: /^Package of .*: Unpaid/ }).first();
    await menu.waitFor();
    await refuse(page, "**/functions/v1/admin-users");
    await menu.click();
    await page.getByRole("menuitem", { name: "Give Advanced" }).click();
  }),
  ...["Bitcoin", "Ethereum"].map((coin) =>
    failure(`${coin} price not fetched`, "admin", async (page) => {
      await refuse(page, "**/api/crypto-price/*");
      await page.goto("/admin?tab=settings");
      await page.getByRole("button", { name: `Fetch ${coin} price` }).click();
    }),
  ),
  failure("video without a film", "admin", async (page) => {
    await openVideoForm(page);
    await page.getByRole("button", { name: "Save video" }).click();
  }),
  failure("film no video", "admin", async (page) => {
    await openVideoForm(page);
    await page.locator('input[type="file"]').setInputFiles(wrongFile);
  }),
  failure("film too large", "admin", async (page) => {
    await openVideoForm(page);
    await chooseHugeFile(page, "huge.mp4");
  }),
];
