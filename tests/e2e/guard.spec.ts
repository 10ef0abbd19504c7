import { expect, openPayment, test } from "../support/browser/checkout.ts";
import { tabTo } from "../support/browser/keyboard.ts";
import { thiefAddress } from "../support/wallet/guard.ts";
import { walletForm } from "../support/payments.ts";
import { adminEmail } from "../support/sites/site.ts";

const alertEmail = "watch@example.com";
// A site of its own: the undo signs its admin out.
test.use({ setup: { environment: { SITE_NAME: "Guarded" }, wallets: { alert_email: alertEmail } } });

// GUARD-1, GUARD-2, GUARD-4
test("a swapped address is mailed twice and undone by its link on open pages", async ({ page, browser, shop, site }) => {
  await shop.setWallets({ bitcoin_address: thiefAddress });
  const saved = Date.now();
  const alerts = async () =>
    (await Promise.all([adminEmail, alertEmail].map((to) => site.mailsFor(to)))).map((mails) => mails[0]?.text);
  await expect.poll(async () => (await alerts()).every((text) => text?.includes(`now ${thiefAddress}`))).toBe(true);
  test.info().annotations.push({ type: "both mails", description: `${Date.now() - saved} ms` });

  await openPayment(page);
  await expect(page.getByText(thiefAddress).first()).toBeVisible();

  const owner = await (await browser.newContext({ storageState: undefined })).newPage();
  const link = /http:\/\/localhost:\d+\/undo#[\w-]{43}/.exec((await alerts())[1]!)![0];
  await owner.goto(link);
  await expect(owner.getByText(`Bitcoin address: ${walletForm.bitcoin_address}`)).toBeVisible();
  expect(owner.url()).not.toContain("#");
  // KEYS-1
  await tabTo(owner, owner.getByRole("link", { name: "Skip to content" }));
  await owner.keyboard.press("Enter");
  await expect(owner.getByRole("main")).toBeFocused();
  await owner.getByRole("button", { name: "Undo this change" }).click();
  await expect(owner.getByRole("heading", { name: "The change is undone" })).toBeVisible();

  const renewal = page.getByRole("status").filter({ hasText: "The seller ended this quote, and it was renewed" });
  await expect(renewal).toBeVisible();
  await expect(page.getByText(walletForm.bitcoin_address).first()).toBeVisible();
  await expect(page.getByText(thiefAddress)).toHaveCount(0);

  const again = await owner.context().newPage();
  await again.goto(link);
  await expect(again.getByText("This change has been undone already.")).toBeVisible();
  await owner.context().close();
});
