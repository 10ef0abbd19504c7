// @vitest-environment happy-dom
import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test, vi } from "vitest";
import type { CoinPrice } from "#domain/api/payments/coin-prices";
import { errors, ProductError } from "#domain/errors/messages";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { PriceWarning } from "./price-warning.tsx";
import { PricesPanel } from "./prices-panel.tsx";
import { coinPricesOptions } from "./queries.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    coinPrices: {
      list: vi.fn<() => unknown>(),
      fetch: vi.fn<() => unknown>(),
      set: vi.fn<() => unknown>(),
      setBounds: vi.fn<() => unknown>(),
    },
  },
}));
const list = vi.mocked(api.coinPrices.list);
const fetchBoth = vi.mocked(api.coinPrices.fetch);
const set = vi.mocked(api.coinPrices.set);
const setBounds = vi.mocked(api.coinPrices.setBounds);

const ago = (seconds: number): string => new Date(Date.now() - seconds * 1000).toISOString();
const price = (changes: Partial<CoinPrice> = {}): CoinPrice => ({
  coin: "bitcoin",
  usd: "60000",
  updated_at: ago(30),
  updated_by: "price-service",
  lowest_usd: null,
  highest_usd: null,
  public_usd: "60000",
  public_at: ago(30),
  public_failed: false,
  warnings: [],
  ...changes,
});
const ethereum = price({ coin: "ethereum", usd: "3000", public_usd: "3000" });
const known = (...items: CoinPrice[]) => list.mockResolvedValue({ items, refresh_seconds: 0 });
beforeEach(() => {
  for (const mock of [list, fetchBoth, set, setBounds]) mock.mockReset();
});

// PRICE-2
test("no line about prices is displayed while none needs a look", async () => {
  known(price(), ethereum);
  show(<PriceWarning onOpen={() => {}} />);
  await waitFor(() => expect(queryClient.getQueryData(coinPricesOptions.queryKey)).toBeDefined());
  expect(screen.queryByRole("button")).toBeNull();
});

test("one line names the first warning of each price and leads to the settings", async () => {
  known(
    price({ updated_at: null, updated_by: null, warnings: ["never_set", "off_public"] }),
    price({ coin: "ethereum", updated_at: ago(3 * 24 * 3600), updated_by: "admin", warnings: ["old"] }),
  );
  const onOpen = vi.fn<() => void>();
  const { user } = show(<PriceWarning onOpen={onOpen} />);
  await screen.findByText("Bitcoin price: never set. Ethereum price: set 3 days ago.");
  await user.click(screen.getByRole("button", { name: "Review prices" }));
  expect(onOpen).toHaveBeenCalledOnce();
});

test("the panel displays each price's age, source, public price and warnings", async () => {
  known(
    price({ usd: "66000", updated_at: ago(3 * 24 * 3600), updated_by: "admin", warnings: ["off_public", "old"] }),
    price({ coin: "ethereum", public_failed: true, public_at: ago(7200) }),
  );
  show(<PricesPanel />);
  const bitcoin = await screen.findByRole("region", { name: "Bitcoin price" });
  expect(bitcoin.textContent).toContain("$66,000Set by hand 3 days agoPublic price $60,000, just now.");
  expect(bitcoin.textContent).toContain("This price is 10.0% above the public price.This price is older than a day.");
  const other = screen.getByRole("region", { name: "Ethereum price" });
  expect(other.textContent).toContain("Fetched just nowPublic price $60,000, 2 hours ago. The price service does not reply.");
  expect(within(other).queryByRole("button", { name: /still right/ })).toBeNull();
});

test.each<[CoinPrice["warnings"][number], string]>([
  ["never_set", "Use this price for Bitcoin"],
  ["old", "The Bitcoin price is still right"],
])("a price that is stale (%s) is confirmed as it stands", async (warning, name) => {
  known(price({ warnings: [warning] }), ethereum);
  set.mockResolvedValue(price());
  const { user } = show(<PricesPanel />);
  await user.click(await screen.findByRole("button", { name }));
  expect(set.mock.calls).toEqual([[{ params: { coin: "bitcoin" }, body: { usd: "60000" } }]]);
});

// PRICE-3
test("one button fetches both, and a large step is saved by a second click", async () => {
  known(price(), ethereum);
  fetchBoth.mockResolvedValue({
    items: [
      { coin: "bitcoin", before_usd: "60000", public_usd: "80000", kept: "large_step" },
      { coin: "ethereum", before_usd: "3000", public_usd: "2900.5", kept: null },
    ],
  });
  set.mockResolvedValue(price());
  const { user } = show(<PricesPanel />);
  await user.click(await screen.findByRole("button", { name: "Fetch and save both prices" }));
  const [bitcoin, other] = within(await screen.findByRole("list")).getAllByRole("listitem");
  expect(other?.textContent).toBe("Ethereum $3,000 → $2,900.5 (−3.3%)Saved.");
  expect(bitcoin?.textContent).toContain("Bitcoin $60,000 → $80,000 (+33.3%)Not saved yet");
  expect(set).not.toHaveBeenCalled();
  await user.click(screen.getByRole("button", { name: "Save $80,000 for Bitcoin" }));
  await waitFor(() => expect(bitcoin?.textContent).toBe("Bitcoin $60,000 → $80,000 (+33.3%)Saved."));
  expect(set.mock.calls).toEqual([[{ params: { coin: "bitcoin" }, body: { usd: "80000" } }]]);
});

test("a price outside of the bounds, or none, is not offered to be saved", async () => {
  known(price(), ethereum);
  fetchBoth.mockResolvedValue({
    items: [
      { coin: "bitcoin", before_usd: "60000", public_usd: "80000", kept: "out_of_bounds" },
      { coin: "ethereum", before_usd: "3000", public_usd: null, kept: "no_public_price" },
    ],
  });
  const { user } = show(<PricesPanel />);
  await user.click(await screen.findByRole("button", { name: "Fetch and save both prices" }));
  expect(await screen.findByText("Not saved: outside of your bounds.")).toBeDefined();
  expect(screen.getByText("The price service has no price now. Nothing was changed.")).toBeDefined();
  expect(screen.queryByRole("button", { name: /^Save \$/ })).toBeNull();
});

// PRICE-4
test("crossed bounds are refused in the browser, others are saved", async () => {
  known(price(), ethereum);
  setBounds
    .mockResolvedValueOnce(price({ lowest_usd: "50000", highest_usd: "400000" }))
    .mockRejectedValue(new ProductError("unavailable"));
  const { user } = show(<PricesPanel />);
  const form = within(await screen.findByRole("form", { name: "Bounds of the Bitcoin price", hidden: true }));
  const save = () => user.click(form.getByRole("button", { name: "Save the bounds of the Bitcoin price", hidden: true }));
  await user.type(form.getByLabelText("Lowest (USD)"), "50000");
  await user.type(form.getByLabelText("Highest (USD)"), "4");
  await save();
  expect(await form.findByText("The highest price must not be below the lowest one.")).toBeDefined();
  expect(setBounds).not.toHaveBeenCalled();
  await user.type(form.getByLabelText("Highest (USD)"), "00000");
  await save();
  expect(await form.findByText("Saved.")).toBeDefined();
  expect(setBounds.mock.calls[0]).toEqual([
    { params: { coin: "bitcoin" }, body: { lowest_usd: "50000", highest_usd: "400000" } },
  ]);
  await save();
  expect(await form.findByText(errors.unavailable.text)).toBeDefined();
});

test("a bound set elsewhere is displayed, and kept when the other one is saved", async () => {
  known(price(), ethereum);
  setBounds.mockResolvedValue(price());
  const { user } = show(<PricesPanel />);
  const form = within(await screen.findByRole("form", { name: "Bounds of the Bitcoin price", hidden: true }));
  known(price({ highest_usd: "90000" }), ethereum);
  await act(() => queryClient.invalidateQueries({ queryKey: coinPricesOptions.queryKey }));
  await user.type(form.getByLabelText("Lowest (USD)"), "50000");
  await user.click(form.getByRole("button", { name: "Save the bounds of the Bitcoin price", hidden: true }));
  expect(setBounds.mock.calls).toEqual([
    [{ params: { coin: "bitcoin" }, body: { lowest_usd: "50000", highest_usd: "90000" } }],
  ]);
});

test("the bounds stay open when both are emptied", async () => {
  known(price({ lowest_usd: "50000" }), ethereum);
  setBounds.mockImplementation(async () => {
    known(price(), ethereum);
    return price();
  });
  const { user } = show(<PricesPanel />);
  const form = within(await screen.findByRole("form", { name: "Bounds of the Bitcoin price" }));
  await user.clear(form.getByLabelText("Lowest (USD)"));
  await user.click(form.getByRole("button", { name: "Save the bounds of the Bitcoin price" }));
  const said = await form.findByText("Saved.");
  await waitFor(() => expect(list).toHaveBeenCalledTimes(2));
  expect(said.closest("details")?.open).toBe(true);
});
