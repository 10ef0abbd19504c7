// @vitest-environment happy-dom
import { screen, waitFor } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import { texts } from "#domain/texts/texts";
import { show } from "../../../../tests/support/render.tsx";
import { accessToken } from "../../platform/auth-client.ts";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { LaunchOffer } from "./launch-offer.tsx";
import { loader } from "./page.tsx";
import { launchOfferOptions } from "./queries.ts";

vi.mock("../../platform/auth-client.ts", async (original) => ({
  ...(await original<object>()),
  accessToken: vi.fn<() => unknown>(),
}));
vi.mock("../../platform/api.ts", () => ({
  api: { paymentRequests: { mine: () => Promise.resolve([]) }, quotes: { launchOffer: vi.fn<() => unknown>() } },
}));
const asked = vi.mocked(api.quotes.launchOffer);

const state = {
  quote: undefined,
  isCheckingCoupon: false,
  isRenewing: false,
  isStopped: false,
  applyCoupon: vi.fn<(code: string) => void>(),
};
const offer = { code: "LUNCH", discount_starter: "50", discount_advanced: "70" };

// COUPON-4
test("LUNCH as shipped has the specified words, and one press applies it", async () => {
  asked.mockResolvedValue({ status: 200, body: offer });
  const { user } = show(<LaunchOffer packageType="starter" state={state} />);
  expect(await screen.findByText(texts.payment.launchOffer)).toBeDefined();
  expect(screen.getByText(texts.payment.launchCode)).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Use code LUNCH" }));
  expect(state.applyCoupon).toHaveBeenCalledWith("LUNCH");
});

// QUOTE-10
test("the offer cannot be used while the amounts have expired", async () => {
  asked.mockResolvedValue({ status: 200, body: offer });
  show(<LaunchOffer packageType="starter" state={{ ...state, isStopped: true }} />);
  expect((await screen.findByRole<HTMLButtonElement>("button", { name: "Use code LUNCH" })).disabled).toBe(true);
});

test("the offer has the live coupon's percents and only packages that can be bought", async () => {
  asked.mockResolvedValue({ status: 200, body: { ...offer, discount_starter: null, discount_advanced: "62.5" } });
  show(<LaunchOffer packageType="starter" state={state} />);
  expect(await screen.findByText("62.5% OFF Advanced")).toBeDefined();
  expect(screen.queryByRole("button", { name: /Use code/ })).toBeNull();
});

test.each([
  ["the coupon is off", { status: 204 as const }, undefined],
  ["it is applied", { status: 200 as const, body: offer }, { coupon_code: "LUNCH", amount_usd: "248.5" }],
  ["nothing is left to pay", { status: 200 as const, body: offer }, { coupon_code: null, amount_usd: "0" }],
])("the offer is gone when %s", async (_when, reply, quote) => {
  asked.mockResolvedValue(reply);
  const { container } = show(<LaunchOffer packageType="starter" state={{ ...state, quote: quote as never }} />);
  // Nothing is displayed while it loads either.
  await waitFor(() => expect(queryClient.getQueryState(launchOfferOptions.queryKey)?.status).toBe("success"));
  await waitFor(() => expect(container.textContent).toBe(""));
});

test("the offer is read before it is known who is signed in", async () => {
  vi.mocked(accessToken).mockResolvedValue("token");
  asked.mockReset().mockResolvedValue({ status: 204 });
  loader();
  await waitFor(() => expect(asked).toHaveBeenCalled());
});
