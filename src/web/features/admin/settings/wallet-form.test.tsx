// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { CoinPrice } from "#domain/api/payments/coin-prices";
import type { WalletSettings } from "#domain/api/payments/wallet-settings";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { coinPricesOptions } from "./prices/queries.ts";
import { WalletForm } from "./wallet-form.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { coinPrices: { list: vi.fn<() => unknown>() } } }));
const listPrices = vi.mocked(api.coinPrices.list).mockResolvedValue({ items: [], refresh_seconds: 0 });

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

/** The prices as they are refreshed while nobody looks. */
const refreshed = (usd: string) => ({
  items: [
    {
      coin: "bitcoin",
      usd,
      updated_at: new Date().toISOString(),
      updated_by: "price-service",
      lowest_usd: null,
      highest_usd: null,
      public_usd: usd,
      public_at: new Date().toISOString(),
      public_failed: false,
      warnings: [],
    } satisfies CoinPrice,
  ],
  refresh_seconds: 900,
});
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

// WALLET-6, ADMIN-5
test("a form that is opened again has the price that was refreshed meanwhile", async () => {
  listPrices.mockResolvedValue(refreshed("61000"));
  queryClient.setQueryData(coinPricesOptions.queryKey, refreshed("61000"));
  show(<WalletForm saved={{ ...saved, bitcoin_price_usd: "60000" }} />);
  expect(field("Bitcoin price (USD)").value).toBe("61000");
});
