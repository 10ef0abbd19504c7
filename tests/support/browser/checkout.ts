import { randomInt } from "node:crypto";
import type { Page } from "@playwright/test";
import { AdminSession, browserStateOf, caller, joinSite, type Call, type Member } from "../sites/members.ts";
import { walletForm } from "../payments.ts";
import { adminPassword, startSite, test as base, type Site } from "../sites/site.ts";

export interface ShopSetup {
  environment: Record<string, string>;
  wallets: Partial<typeof walletForm>;
}

/** A running site where the payment methods are set up. */
export interface Shop {
  site: Site;
  asAdmin: Call;
  setWallets(changes: Partial<typeof walletForm>): Promise<void>;
  /** What the admin sees of this student's payment requests. */
  requestsOf(member: Member): Promise<any[]>;
  /** The bytes of a request's screenshot, as the admin gets them. */
  screenshotOf(request: { id: string }): Promise<Buffer>;
}

async function openShop(site: Site, wallets: ShopSetup["wallets"]): Promise<Shop> {
  const asAdmin = caller(site, await AdminSession.of(site));
  const shop: Shop = {
    site,
    asAdmin,
    setWallets: (changes) =>
      asAdmin("PUT", "/api/wallet-settings", { ...walletForm, ...wallets, ...changes, current_password: adminPassword }),
    requestsOf: async ({ email }) => (await asAdmin("GET", `/api/payment-requests?search=${encodeURIComponent(email)}`)).items,
    async screenshotOf({ id }) {
      const { url } = await asAdmin("GET", `/api/payment-requests/${id}/screenshot`);
      return Buffer.from(await (await fetch(new URL(url, site.url))).arrayBuffer());
    },
  };
  await shop.setWallets({});
  return shop;
}

/** A test gets a shop, made once for all tests of one worker, and a verified student of its own who is signed in on `page`. */
export const test = base.extend<{ buyer: Member }, { setup: ShopSetup; shop: Shop }>({
  setup: [
    { environment: {}, wallets: {} },
    { scope: "worker", option: true },
  ],
  site: [
    async ({ setup }, use) => {
      const site = await startSite(setup.environment);
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 120_000 },
  ],
  shop: [async ({ site, setup }, use) => use(await openShop(site, setup.wallets)), { scope: "worker", auto: true }],
  buyer: async ({ site }, use) => use(await joinSite(site, `Buyer ${randomInt(1e9, 1e10)}`, true)),
  storageState: async ({ site, buyer }, use) => use(browserStateOf(site, buyer.session)),
});

export const submitButton = (page: Page) => page.getByRole("button", { name: "Submit Payment Request" });
export const screenshotPicker = (page: Page) => page.getByLabel(/^Choose (the payment screenshot|another|another screenshot)$/);

/** The amount that the request will name. */
export const sentSum = (page: Page) => page.getByRole("paragraph").filter({ hasText: "You have sent" });

/** Opens the payment page and waits for its quote. */
export async function openPayment(page: Page, packageType = "starter"): Promise<void> {
  await page.goto(`/payment?package=${packageType}`);
  await submitButton(page).waitFor();
}

/** Asks for a coupon; what comes of it is the test's to look at. */
export async function applyCoupon(page: Page, code: string): Promise<void> {
  await page.getByLabel("Coupon code").fill(code);
  await page.getByRole("button", { name: "Apply" }).click();
}

export { expect } from "../sites/site.ts";
