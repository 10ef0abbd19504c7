import { adminEmail, adminPassword } from "../support/sites/site.ts";
import { bip84Addresses, bip84Key } from "../support/domain/bitcoin-keys.ts";
import { applyCoupon, expect, openPayment, test } from "../support/browser/checkout.ts";
import { joinSite, windowOf } from "../support/sites/members.ts";
import { saveWallets } from "../support/wallet/wallet-form.ts";

// Addresses are given in order, so the site is this file's own.
test.use({ setup: { environment: {}, wallets: {} } });

test("two students pay to two addresses of the admin's key, with digits of their own", async ({
  browser,
  site,
  page,
  login,
}) => {
  await test.step("the admin sets the key of BIP 84's vectors and compares the addresses", async () => {
    const admin = await (await browser.newContext({ baseURL: site.url, storageState: { cookies: [], origins: [] } })).newPage();
    await login(admin, { email: adminEmail, password: adminPassword });
    await admin.getByRole("tab", { name: "Settings" }).click();
    await admin.getByLabel("Bitcoin account key").fill("zprv");
    await expect(admin.getByText(/Never enter it anywhere/)).toBeVisible();
    await admin.getByLabel("Bitcoin account key").fill(bip84Key);
    await expect(admin.getByRole("list", { name: "First addresses" }).getByRole("listitem")).toHaveText([...bip84Addresses]);
    await admin.getByLabel("Bitcoin address").fill("");
    await admin.getByLabel("Give each payment last digits of its own").check();
    await saveWallets(admin);
    await admin.context().close();
  });

  const other = await joinSite(site, "Other Buyer", true);
  const otherPage = await (await windowOf(browser, site, other.session)).newPage();
  for (const [index, student] of [page, otherPage].entries()) {
    await openPayment(student);
    const details = student.getByRole("region", { name: "Payment details" });
    await expect(details.getByText(bip84Addresses[index]!)).toBeVisible();
    await expect(details.getByText("0.01104444 BTC", { exact: true })).toBeVisible();
    const link = details.getByRole("link", { name: "Open in wallet" });
    await expect(link).toHaveAttribute("href", new RegExp(`^bitcoin:${bip84Addresses[index]}\\?amount=0\\.01104444`));
  }

  await test.step("a coupon keeps the address, and the page does not say that it changed", async () => {
    await applyCoupon(page, "LUNCH");
    const details = page.getByRole("region", { name: "Payment details" });
    await expect(details.getByText("0.00552222 BTC", { exact: true })).toBeVisible();
    await expect(details.getByText(bip84Addresses[0])).toBeVisible();
    await expect(page.getByText("has changed")).toHaveCount(0);
  });

  await test.step("an amount in baht has digits of its own, and says why", async () => {
    await otherPage.getByRole("radio", { name: "Thai Bank Transfer" }).check();
    const details = otherPage.getByRole("region", { name: "Payment details" });
    await expect(details.getByText(/^17,395\.(?!00)\d\d THB$/)).toBeVisible();
    await expect(details.getByText(/The last digits are yours/)).toBeVisible();
  });
  await otherPage.context().close();
});
