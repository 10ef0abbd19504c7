// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import { expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { PackageType } from "#domain/packages";
import { show } from "../../../../tests/support/render.tsx";
import { purchaseOf } from "../../entities/payment-request/next-step.ts";
import { SessionContext } from "../../entities/session/session.tsx";
import { View } from "./view.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { quotes: { create: () => new Promise(() => {}) } } }));

const pending = (package_type: PackageType) => ({ package_type, status: "pending", rest: null }) as PaymentRequest;
const method = { crypto_type: "bitcoin", available: false, amount_crypto: "0.001", wallet_address: "" };
const rest = { asked_at: "2026-11-21T00:00:00Z", method, destination_changed: false, former_destinations: [] };
const asked = {
  ...pending("starter"),
  amount_crypto: null,
  amount_received: null,
  parts: [],
  rest,
} as unknown as PaymentRequest;

function showTo(requests: PaymentRequest[], packageType: PackageType): void {
  const me = { subscription_status: "unpaid", max_upload_bytes: { "payment-screenshots": 1000 } } as Me;
  const purchase = purchaseOf(requests, "unpaid", packageType);
  const read = { data: requests, error: null } as Parameters<typeof View>[0]["requests"];
  show(
    <SessionContext value={{ status: "signed-in", me, asOf: 0 }}>
      <View packageType={packageType} requests={read} purchase={purchase} onSubmitted={() => {}} />
    </SessionContext>,
  );
}

// PAY-9
test("who waits for a package that includes this one is told before they pay", () => {
  showTo([pending("advanced")], "starter");
  expect(screen.getByText(/already asked for the Advanced package, which includes everything in Starter/)).toBeDefined();
  const link = screen.getByRole("link", { name: "See your request for Advanced" });
  expect(link.getAttribute("href")).toBe("/payment?package=advanced");
});

// PAY-9, PART-4
test("who is asked for the rest of a package that another includes is told so", () => {
  showTo([asked, pending("advanced")], "starter");
  expect(screen.getByText(/already asked for the Advanced package/)).toBeDefined();
});

test.each<[string, PaymentRequest[], PackageType]>([
  ["no request is pending", [], "starter"],
  ["only a smaller package is asked for", [pending("starter")], "advanced"],
  ["only the rest of this one is asked for", [asked], "starter"],
])("nothing is said where %s", (_when, requests, packageType) => {
  showTo(requests, packageType);
  expect(screen.queryByText(/already asked/)).toBeNull();
});
