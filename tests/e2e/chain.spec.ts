import { randomInt } from "node:crypto";
import { startAnvil, type Anvil } from "../support/chains/anvil.ts";
import { expect, test as base, type ShopSetup } from "../support/browser/checkout.ts";
import { pay } from "../support/sites/course.ts";
import { adminSessionOf, joinSite, windowOf } from "../support/sites/members.ts";
import { walletForm } from "../support/payments.ts";

/** A shop that looks payments up on an Ethereum node. */
const test = base.extend<object, { anvil: Anvil; setup: ShopSetup }>({
  anvil: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const anvil = await startAnvil();
      await use(anvil);
      await anvil.stop();
    },
    { scope: "worker" },
  ],
  setup: [async ({ anvil }, use) => use({ environment: { ETHEREUM_RPC_URL: anvil.url }, wallets: {} }), { scope: "worker" }],
});

// CHAIN-2, CHAIN-7
test("what arrived on the chain changes the admin's open page without a reload", async ({ browser, site, anvil }) => {
  const buyer = await joinSite(site, `Payer ${randomInt(1e9, 1e10)}`, true);
  const office = await windowOf(browser, site, await adminSessionOf(site));
  const [watching, checking] = [await office.newPage(), await office.newPage()];
  const reference = await anvil.send(walletForm.ethereum_address, "0.16566667");
  const { id } = await pay(buyer, { package_type: "starter", method: "ethereum", reference });

  for (const page of [watching, checking]) {
    await page.goto(`/admin/payments/${id}`);
    await expect(page.getByRole("region", { name: "Evidence" })).toContainText("is on its way: 0 of 12 confirmations");
  }
  await anvil.mine(12);
  await checking.getByRole("button", { name: `Check again for the payment of ${buyer.email}` }).click();
  for (const page of [checking, watching]) {
    const evidence = page.getByRole("region", { name: "Evidence" });
    await expect(evidence).toContainText("Payment arrived");
    await expect(evidence).toContainText("0.16566667 ETH, exactly the amount due, has arrived with 12 confirmations.");
    await expect(evidence.getByRole("link", { name: reference })).toHaveAttribute(
      "href",
      `https://etherscan.io/tx/${reference}`,
    );
  }
  await office.close();
});
