// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { show } from "../../../../../tests/support/render.tsx";
import { api } from "../../../platform/api.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { StillOwed } from "./still-owed.tsx";

vi.mock("../../../platform/api.ts", () => ({ api: { quotes: { create: vi.fn<() => unknown>() } } }));

const bank = { name: "Bank", account_number: "1", account_name: "Shop", promptpay_id: "" };
const quoted = [
  { crypto_type: "bitcoin", available: true, amount_crypto: "0.011", wallet_address: "bc1fresh" },
  { crypto_type: "thai_bank", available: true, amount_crypto: "17395.00", wallet_address: "Bank 1", bank },
];
const owing = {
  id: "1",
  package_type: "starter",
  crypto_type: "bitcoin",
  amount_crypto: "0.01104444",
  wallet_address: "bc1own",
  destination_current: true,
  paid_by_earlier_quote: null,
  amount_received: "0.01000000",
  amount_owed: "0.00104444",
} as PaymentRequest;
const byBank = { ...owing, crypto_type: "thai_bank", wallet_address: "Bank 1", amount_owed: "395.00" } as const;
const late = { amount_usd: "497", amount_crypto: "0.01", wallet_address: "bc1late", quoted_at: "", destination_current: true };
const oldLate = { ...late, destination_current: false };

// DECIDE-7
test.each<[string, PaymentRequest, string]>([
  ["its own address while that is current", owing, "bc1own"],
  ["the address that a late payer had", { ...owing, paid_by_earlier_quote: late }, "bc1late"],
  ["its own address where that of a late payer is old", { ...owing, paid_by_earlier_quote: oldLate }, "bc1own"],
  ["the present address where its own is old", { ...owing, destination_current: false }, "bc1fresh"],
  ["the whole account of a bank", byBank, "Shop"],
])("says to send what is still owed to %s", async (_, request, destination) => {
  vi.mocked(api.quotes.create).mockResolvedValue({ methods: quoted } as never);
  show(<StillOwed request={request} />);
  expect(await screen.findByText(destination)).toBeTruthy();
});

test.each([
  ["0.01000000", "0.01000000 BTC has arrived. Send only the rest, and add a screenshot of it."],
  ["0.00000000", "Nothing has arrived. Send this only if you have not sent it yet, and add a screenshot of it."],
])("says what to send where %s has arrived", async (amount_received, expected) => {
  vi.mocked(api.quotes.create).mockResolvedValue({ methods: quoted } as never);
  show(<StillOwed request={{ ...owing, amount_received }} />);
  expect((await screen.findByRole("region", { name: "Still to pay" })).textContent).toContain(expected);
});

// GUARD-4, QUOTE-7
test("a destination that changes on the open page is said to have changed", async () => {
  vi.mocked(api.quotes.create).mockResolvedValueOnce({ id: "q1", methods: quoted } as never);
  show(<StillOwed request={{ ...owing, destination_current: false }} />);
  await screen.findByText("bc1fresh");
  const [bitcoin, ...others] = quoted;
  const changed = [{ ...bitcoin, amount_crypto: "0.02", wallet_address: "bc1right" }, ...others];
  vi.mocked(api.quotes.create).mockResolvedValueOnce({ id: "q2", methods: changed } as never);
  await act(() => queryClient.invalidateQueries({ queryKey: ["current-destination"] }));
  await screen.findByText("bc1right");
  expect(screen.getByText("Bitcoin: the address has changed. Please do not use the old one.")).toBeDefined();
  expect(vi.mocked(api.quotes.create).mock.lastCall).toEqual([{ package_type: "starter", replaces: "q1" }]);
});

test("the request's own address that is no longer current is said to have changed", async () => {
  vi.mocked(api.quotes.create).mockResolvedValueOnce({ id: "q1", methods: quoted } as never);
  const { rerender } = show(<StillOwed request={owing} />);
  await screen.findByText("bc1own");
  rerender(<StillOwed request={{ ...owing, destination_current: false }} />);
  await screen.findByText("bc1fresh");
  expect(screen.getByText("Bitcoin: the address has changed. Please do not use the old one.")).toBeDefined();
});

// WALLET-7
test.each([
  ["bc1own", 0],
  [sampleWalletSettings.bitcoin_address, 1],
])("warns of the sample's destination alone: %s", async (wallet_address, notices) => {
  show(<StillOwed request={{ ...owing, wallet_address }} />);
  await screen.findByText(wallet_address);
  expect(screen.queryAllByText("Sample details – do not pay")).toHaveLength(notices);
});
