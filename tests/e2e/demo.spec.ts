import { join } from "node:path";
import { expect, test } from "@playwright/test";
import { login } from "../support/browser/login.ts";
import { startStaticHost, type StaticHost } from "../support/network/static-host.ts";

const folder = join(import.meta.dirname, "../../dist/demo");
let host: StaticHost;
let origin: string;
test.beforeAll(async () => {
  host = await startStaticHost(folder);
  origin = host.origin;
});
test.afterAll(() => {
  host.close();
});

test("the demo sells the course without a backend and without any other address", async ({ page }) => {
  const strangers: string[] = [];
  await page.route("**/*", (route) => {
    const url = route.request().url();
    if (url.startsWith(origin) || url.startsWith("blob:") || url.startsWith("data:")) return route.continue();
    strangers.push(url);
    return route.abort();
  });

  await page.clock.install();
  await page.goto(origin);
  await expect(page.getByRole("heading", { name: "Master Forex Trading" })).toBeVisible();

  await login(page, { email: "visitor@example.com", password: "a fine long password" }, origin);
  await expect(page.getByText("Supabase configuration is missing. Please set up your environment variables.")).toBeVisible();

  await page.goto(`${origin}/student`);
  await expect(page.getByRole("banner").getByText("No Package")).toBeVisible();
  await page.getByRole("link", { name: "Buy Starter Package" }).click();
  await expect(page).toHaveURL(/\/payment\/?\?package=starter$/);
  await page.getByLabel("Coupon code").fill("nope");
  await page.getByRole("button", { name: "Apply" }).click();
  await expect(page.getByText("Invalid coupon code", { exact: true })).toBeVisible();
  await page.getByLabel("Coupon code").fill("lunch");
  await page.keyboard.press("Enter");
  await expect(page.getByRole("region", { name: "Payment details" }).getByText("$248.5 USD")).toBeVisible();
  await page
    .getByLabel("Choose the payment screenshot")
    .setInputFiles(join(import.meta.dirname, "../support/payment-requests/receipt.png"));
  await page.getByRole("checkbox").check();
  // The page's clock stands still from here on.
  await page.clock.pauseAt(await page.evaluate(() => Date.now() + 60_000));
  await page.getByRole("button", { name: "Submit Payment Request" }).click();
  await expect(page.getByText("Submitting...")).toBeVisible();
  await page.clock.runFor(1900);
  await expect(page.getByText("Submitting...")).toBeVisible();
  await page.clock.resume();
  await expect(page.getByText("Payment Submitted!")).toBeVisible();
  expect(strangers).toEqual([]);
});
