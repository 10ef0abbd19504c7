import { expect, it } from "vitest";
import { quoteMethods } from "./methods.ts";
import { isSampleDestination } from "./sample-destination.ts";
import { sampleDestinations, sampleWalletSettings, withoutSample } from "./sample.ts";
import { defaultWalletSettings } from "./settings.ts";

const own = { bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3", bitcoin_price_usd: "64000" };

// WALLET-7
it("finds the destinations that are still the sample's, in any spelling", () => {
  const ethereum_address = sampleWalletSettings.ethereum_address.toLowerCase();
  expect(sampleDestinations({ ...sampleWalletSettings, ...own, ethereum_address, promptpay_id: "000-000-0000" })).toEqual([
    "ethereum_address",
    "thai_bank_name",
    "thai_bank_account_number",
    "thai_bank_account_name",
    "promptpay_id",
  ]);
  expect(sampleDestinations({ ...defaultWalletSettings, ...own })).toEqual([]);
  expect(sampleDestinations(defaultWalletSettings)).toEqual([]);
});

it("empties the sample's destinations alone", () => {
  const alert_email = "owner@example.com";
  expect(withoutSample({ ...sampleWalletSettings, ...own, alert_email })).toEqual({
    ...defaultWalletSettings,
    ...own,
    alert_email,
  });
});

it("knows the sample's destination of every method", () => {
  expect(quoteMethods("1", sampleWalletSettings).map(isSampleDestination)).toEqual([true, true, true]);
  const rewritten = { ...sampleWalletSettings, ...own, thai_bank_account_number: "0000000000" };
  expect(quoteMethods("1", rewritten).map(isSampleDestination)).toEqual([false, true, true]);
});
