// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { WalletSettings } from "#domain/api/payments/wallet-settings";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { show } from "../../../../../tests/support/render.tsx";
import { WalletForm } from "./wallet-form.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { coinPrices: { list: () => Promise.resolve({ items: [] }) } } }));

const saved: WalletSettings = {
  ...sampleWalletSettings,
  bitcoin_address: "bc1qrp33g0q5c5txsp9arysrx4k6zdkfs4nce4xj0gdcccefvpysxf3qccfmv3",
  thai_bank_name: "",
  thai_bank_account_number: "",
  thai_bank_account_name: "",
  unique_amounts: false,
  bitcoin_addresses_unused: 0,
  is_sample: true,
  updated_at: "2026-11-26T00:00:00.000Z",
  prices_updated_at: { bitcoin: null, ethereum: null },
};

// WALLET-7
test("names the sample destinations that are left", () => {
  show(<WalletForm saved={saved} />);
  expect(screen.getByText(/replace or remove/).textContent).toMatch(/made up: Ethereum address, PromptPay ID\.$/);
});
