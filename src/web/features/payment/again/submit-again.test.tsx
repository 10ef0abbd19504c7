// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../tests/support/render.tsx";
import { SubmitAgain } from "./submit-again.tsx";

vi.mock("../checkout.tsx", () => ({ Checkout: () => <p>Today's amounts</p> }));
vi.mock("./again-form.tsx", () => ({ AgainForm: () => <p>As before</p> }));
vi.mock("./as-submitted.tsx", () => ({ AsSubmitted: () => null }));
vi.mock("./still-owed.tsx", () => ({ StillOwed: () => null }));

const rejected = { id: "1", package_type: "starter", crypto_type: "bitcoin", amount_received: null } as PaymentRequest;
const showAgain = (given: Partial<PaymentRequest>) =>
  show(<SubmitAgain request={{ ...rejected, ...given }} onSubmitted={() => {}} />);
const anew = () => screen.queryByRole("button", { name: "Start with today's amounts" });

// PAY-10
test.each([
  ["a payment of which nothing has arrived", "bitcoin", "Fix what was refused"],
  ["one with nothing to pay", null, "Submit it again"],
] as const)("%s may be paid anew, and there is a way back", async (_, crypto_type, back) => {
  const { user } = showAgain({ id: String(crypto_type), crypto_type });
  await user.click(anew()!);
  expect(screen.getByText("Today's amounts")).toBeDefined();
  await user.click(screen.getByRole("button", { name: back }));
  expect(screen.getByText("As before")).toBeDefined();
});

test("a payment of which something has arrived is not paid anew", () => {
  showAgain({ id: "part", amount_received: "0.001" });
  expect(anew()).toBeNull();
});
