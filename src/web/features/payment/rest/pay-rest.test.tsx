// @vitest-environment happy-dom
import { screen } from "@testing-library/react";
import type { ReactNode } from "react";
import { expect, test, vi } from "vitest";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { sampleWalletSettings } from "#domain/payment-methods/sample";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../../tests/support/render.tsx";
import { useMyRequests } from "../../../entities/payment-request/queries.ts";
import { api } from "../../../platform/api.ts";
import { invalidateAfter } from "../../../platform/query/query-client.ts";
import { PayRest } from "./pay-rest.tsx";

vi.mock("../../../entities/session/session.tsx", () => ({
  useMe: () => ({ max_upload_bytes: { "payment-screenshots": 1000 } }),
}));
vi.mock("../../../platform/uploads/use-upload.ts", () => ({
  useUpload: () => ({ send: () => Promise.resolve("upload"), forgetIfGone: () => {}, progress: undefined }),
}));
vi.mock("../../../platform/api.ts", () => ({
  api: { paymentRequests: { mine: vi.fn<() => unknown>(), payRest: vi.fn<(input: unknown) => unknown>() } },
}));

const asked = (wallet_address: string, former_destinations: string[] = []): PaymentRequest =>
  ({
    id: "1",
    package_type: "starter",
    crypto_type: "bitcoin",
    amount_crypto: "0.01104444",
    amount_received: "0.01000000",
    parts: [],
    rest: {
      asked_at: "2026-11-21T00:00:00Z",
      method: { crypto_type: "bitcoin", available: true, amount_crypto: "0.00104444", wallet_address },
      destination_changed: false,
      former_destinations,
    },
  }) as unknown as PaymentRequest;
const serve = (request: PaymentRequest): unknown =>
  vi.mocked(api.paymentRequests.mine).mockResolvedValue({ items: [request], next_cursor: null });

function Page(): ReactNode {
  const [request] = useMyRequests().data ?? [];
  return request?.rest && <PayRest request={request} rest={request.rest} onSubmitted={() => {}} />;
}

async function choosePicture(user: ReturnType<typeof show>["user"]): Promise<void> {
  const picture = new File(["x"], "rest.png", { type: "image/png" });
  await user.upload(screen.getByLabelText(/Choose the screenshot of the rest/), picture);
}

// GUARD-4, PART-4
test("an open page names the present destination once the seller ends quotes", async () => {
  serve(asked("bc1thief"));
  show(<Page />);
  await screen.findByText("bc1thief");
  serve(asked("bc1own", ["bc1thief"]));
  invalidateAfter("quotes");
  expect(await screen.findByText("bc1own")).toBeTruthy();
  expect(screen.getByText(/the address has changed/).textContent).toContain("do not use the old one");
  expect(screen.getByLabelText(/already sent the rest to the former address/)).toBeTruthy();
});

// PART-4
test("a page with a former destination is refused, and sends what its student claims", async () => {
  serve(asked("bc1former"));
  const { user } = show(<Page />);
  await screen.findByText("bc1former");
  serve(asked("bc1own", ["bc1former"]));
  vi.mocked(api.paymentRequests.payRest).mockRejectedValueOnce(new ProductError("rest_destination_changed"));
  await choosePicture(user);
  await user.click(screen.getByRole("button", { name: "Send the rest" }));
  expect(await screen.findByText(/Nothing was submitted/)).toBeTruthy();
  await user.click(await screen.findByLabelText(/already sent the rest to the former address/));
  await user.click(screen.getByRole("button", { name: "Send the rest" }));
  const bodies = vi.mocked(api.paymentRequests.payRest).mock.calls.map(([{ body }]) => body);
  expect(bodies).toEqual([
    { upload_id: "upload", wallet_address: "bc1former" },
    { upload_id: "upload", wallet_address: "bc1own", paid_wallet_address: "bc1former" },
  ]);
});

// PART-4
test("a claim of one part is not made of the next", async () => {
  const first = asked("bc1own", ["bc1former"]);
  serve(first);
  const { user } = show(<Page />);
  await user.click(await screen.findByLabelText(/already sent the rest to the former address/));
  const rest = { ...first.rest!, asked_at: "2026-11-22T00:00:00Z" };
  serve({ ...first, parts: [{}], amount_received: "0.01050000", rest } as PaymentRequest);
  invalidateAfter("quotes");
  expect(await screen.findByText("0.0105", { exact: false })).toBeTruthy();
  expect(screen.getByLabelText<HTMLInputElement>(/already sent the rest to the former address/).checked).toBe(false);
});

// WALLET-7
test("warns of the sample's destination", async () => {
  serve(asked(sampleWalletSettings.bitcoin_address));
  show(<Page />);
  expect(await screen.findByText("Sample details – do not pay")).toBeTruthy();
});
