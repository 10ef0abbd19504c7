// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test } from "vitest";
import type { Quote } from "#domain/api/payments/quotes";
import { show } from "../../../../../tests/support/render.tsx";
import { PaidEarlier, SentSum, usePaidEarlier } from "./paid-earlier.tsx";

const method = { crypto_type: "thai_bank", available: true, amount_crypto: "34895.00", wallet_address: "Bank 1" } as const;
const earlier = [
  { id: "1", amount_usd: "299.1", created_at: "2026-11-21T00:00:00Z", methods: [{ ...method, amount_crypto: "10468.50" }] },
];
const quote = { package_type: "advanced", earlier } as unknown as Quote;

function Form(): ReactNode {
  const state = usePaidEarlier(quote, method);
  return (
    <>
      <PaidEarlier state={state} isAskedOpenly disabled={false} />
      <SentSum method={method} claimed={state.claimed} />
    </>
  );
}

// JOURNEY-3
test("a page that comes back has the earlier amount that was ticked", async () => {
  const { user, unmount } = show(<Form />);
  await user.click(screen.getByRole("checkbox"));
  unmount();
  show(<Form />);
  expect(screen.getByRole<HTMLInputElement>("checkbox").checked).toBe(true);
  expect(screen.getByText("You have sent").parentElement?.textContent).toContain("10,468.50 THB");
});
