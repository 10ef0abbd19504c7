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

function Form({ of = quote }: { of?: Quote }): ReactNode {
  const state = usePaidEarlier(of, method);
  return (
    <>
      <PaidEarlier state={state} isAskedOpenly disabled={false} />
      <SentSum method={method} claimed={state.claimed} />
    </>
  );
}

const toAccounts = (...accounts: string[]) =>
  accounts.map((wallet_address, id) => ({ ...earlier[0], id: String(id), methods: [{ ...method, wallet_address }] }));

// QUOTE-6, EVIDENCE-3
test("earlier accounts that were shown with one amount are named", () => {
  const claims = (accounts: string[]): string[] => {
    const { unmount } = show(<Form of={{ ...quote, earlier: toAccounts(...accounts) } as unknown as Quote} />);
    const labels = screen.getAllByRole("checkbox").map((box) => box.parentElement?.textContent ?? "");
    unmount();
    return labels;
  };
  const [second, third] = claims(["Bank 2", "Bank 3"]);
  expect(second).toMatch(/34,895\.00 THB to the earlier account.*, to Bank 2\. We will check/);
  expect(third).toMatch(/34,895\.00 THB to the earlier account.*, to Bank 3\. We will check/);
  expect(claims(["Bank 2"])[0]).not.toContain("Bank 2");
});

// JOURNEY-3
test("a page that comes back has the earlier amount that was ticked", async () => {
  const { user, unmount } = show(<Form />);
  await user.click(screen.getByRole("checkbox"));
  unmount();
  show(<Form />);
  expect(screen.getByRole<HTMLInputElement>("checkbox").checked).toBe(true);
  expect(screen.getByText("You have sent").parentElement?.textContent).toContain("10,468.50 THB");
});
