// @vitest-environment happy-dom
import { fireEvent, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { CoinPrice } from "#domain/api/payments/coin-prices";
import type { WalletSettings } from "#domain/api/payments/wallet-settings";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors, ProductError } from "#domain/errors/messages";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { invalidateAfter, queryClient } from "../../../platform/query/query-client.ts";
import { coinPricesOptions } from "./prices/queries.ts";
import { useWalletSettings, walletSettingsOptions } from "./queries.ts";
import { WalletForm } from "./wallet-form.tsx";

vi.mock("../../../platform/api.ts", () => ({
  api: {
    coinPrices: { list: vi.fn<() => unknown>() },
    guard: { changes: vi.fn<() => unknown>() },
    walletSettings: { get: vi.fn<() => unknown>(), put: vi.fn<() => unknown>() },
  },
}));
const put = vi.mocked(api.walletSettings.put);
beforeEach(() => void put.mockReset());
const listChanges = vi.mocked(api.guard.changes).mockResolvedValue({ items: [], takes_effect: [] });
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

// GUARD-5
test("says from when students see a destination that waits, however old its change is", async () => {
  const waiting = { crypto_type: "bitcoin", at: "2026-12-23T09:30:00.000Z" } as const;
  listChanges.mockResolvedValueOnce({ items: [], takes_effect: [waiting] });
  show(<WalletForm saved={saved} />);
  expect(await screen.findByText(/^Bitcoin: students see the saved destination from 23 Dec 2026, 09:30 UTC/)).toBeDefined();
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
const otherAddress = "0xfB6916095ca1df60bB79Ce92cE3Ea74c37c5d359";
function Settings() {
  const { data } = useWalletSettings();
  return data && <WalletForm saved={data} />;
}
const field = (label: string) => screen.getByLabelText<HTMLInputElement>(label);

// WALLET-6, ADMIN-5
test("a form that is opened again has the price that was refreshed meanwhile", async () => {
  listPrices.mockResolvedValue(refreshed("61000"));
  queryClient.setQueryData(coinPricesOptions.queryKey, refreshed("61000"));
  show(<WalletForm saved={{ ...saved, bitcoin_price_usd: "60000" }} />);
  expect(field("Bitcoin price (USD)").value).toBe("61000");
});

test("fields follow what is saved elsewhere unless they were edited", async () => {
  listPrices.mockResolvedValue(refreshed("60000"));
  const { user, rerender } = show(<WalletForm saved={saved} />);
  await screen.findByText("Fetched just now.");
  await user.type(field("Bank"), "Bangkok Bank");
  listPrices.mockResolvedValue(refreshed("61000"));
  await queryClient.invalidateQueries();
  await waitFor(() => expect(field("Bitcoin price (USD)").value).toBe("61000"));
  rerender(<WalletForm saved={{ ...saved, ethereum_address: otherAddress, thai_bank_name: "Kasikornbank" }} />);
  expect(field("Ethereum address").value).toBe(otherAddress);
  expect(field("Bank").value).toBe("Bangkok Bank");
});

// WALLET-6
test("a price saved elsewhere is followed, and named in the list of changes", async () => {
  const before = "2026-11-26T00:00:00.000Z";
  const known = refreshed("45000");
  listPrices.mockResolvedValue({ ...known, items: [{ ...known.items[0]!, updated_at: before }] });
  const form = (usd: string, at: string) => ({
    ...saved,
    bitcoin_price_usd: usd,
    prices_updated_at: { bitcoin: at, ethereum: null },
  });
  const { user, rerender } = show(<WalletForm saved={form("45000", before)} />);
  await waitFor(() => expect(queryClient.getQueryData(coinPricesOptions.queryKey)).toBeDefined());
  rerender(<WalletForm saved={form("52000", "2026-11-26T01:00:00.000Z")} />);
  expect(field("Bitcoin price (USD)").value).toBe("52000");
  await user.clear(field("Bitcoin price (USD)"));
  await user.type(field("Bitcoin price (USD)"), "52010");
  await user.click(screen.getByRole("button", { name: "Save settings" }));
  const values = within(screen.getByRole("alertdialog")).getAllByRole("definition");
  expect(values.map(({ textContent }) => textContent)).toEqual(["Now52,000", "New52,010"]);
});

test("the prices are read again when settings were saved elsewhere", async () => {
  listPrices.mockResolvedValue(refreshed("60000"));
  show(<WalletForm saved={saved} />);
  await screen.findByText("Fetched just now.");
  listPrices.mockResolvedValue(refreshed("61000"));
  invalidateAfter("wallet-settings");
  await waitFor(() => expect(field("Bitcoin price (USD)").value).toBe("61000"));
});

// KEYS-5
test("the password gets the focus where it is missing or wrong", async () => {
  put.mockRejectedValueOnce(new ProductError("password_confirmation_wrong"));
  const { user } = show(<WalletForm saved={saved} />);
  await user.type(field("Bank"), "Bangkok Bank");
  await user.click(screen.getByRole("button", { name: "Save settings" }));
  const password = await screen.findByLabelText("Your current password");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect([screen.getByRole("alert").textContent, document.activeElement]).toEqual([
    fieldTexts.current_password_missing,
    password,
  ]);
  await user.type(password, "wrong");
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await screen.findByRole("alert")).textContent).toBe(errors.password_confirmation_wrong.text);
  expect(document.activeElement).toBe(password);
});

// WALLET-6
test("a password that is too long is refused in the list of changes", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user } = show(<WalletForm saved={saved} />);
  await user.type(field("Bank"), "Bangkok Bank");
  await user.click(screen.getByRole("button", { name: "Save settings" }));
  const password = await screen.findByLabelText("Your current password");
  fireEvent.change(password, { target: { value: "a".repeat(1001) } });
  await user.click(screen.getByRole("button", { name: "Save changes" }));
  expect((await screen.findByRole("alert")).textContent).toContain("1000");
  expect([document.activeElement, put.mock.calls]).toEqual([password, []]);
});

// KEYS-5
test("a value that is refused opens no list of changes, and gets the focus", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const { user } = show(<WalletForm saved={saved} />);
  await user.type(field("Bitcoin address"), "tb1q");
  await user.click(screen.getByRole("button", { name: "Save settings" }));
  await waitFor(() => expect(document.activeElement).toBe(field("Bitcoin address")));
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

// WALLET-6
test("a save that is refused since another came before keeps what was typed", async () => {
  listPrices.mockResolvedValue({ items: [], refresh_seconds: 0 });
  vi.mocked(api.walletSettings.get).mockResolvedValue({ ...saved, ethereum_address: otherAddress });
  put.mockRejectedValueOnce(new ProductError("wallet_settings_changed")).mockResolvedValueOnce(saved);
  queryClient.setQueryData(walletSettingsOptions.queryKey, saved);
  const { user } = show(<Settings />);
  await user.type(field("Bank"), "Bangkok Bank");
  const changes = () => within(screen.getByRole("alertdialog")).getAllByRole("term");
  const save = async () => {
    await user.click(screen.getByRole("button", { name: "Save settings" }));
    expect(changes().map(({ textContent }) => textContent)).toEqual(["Bank"]);
    await user.type(screen.getByLabelText("Your current password"), "password");
    await user.click(screen.getByRole("button", { name: "Save changes" }));
  };
  await save();
  expect(await screen.findByText(errors.wallet_settings_changed.text)).toBeDefined();
  await waitFor(() => expect(field("Ethereum address").value).toBe(otherAddress));
  await save();
  await waitFor(() => expect(put).toHaveBeenCalledTimes(2));
  const addresses = put.mock.calls.map(([form]) => [form.ethereum_address, form.expected?.ethereum_address]);
  expect(addresses).toEqual([
    [saved.ethereum_address, saved.ethereum_address],
    [otherAddress, otherAddress],
  ]);
});
