// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Me } from "#domain/api/account";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Video } from "#domain/api/course/videos";
import { texts } from "#domain/texts/texts";
import { pathOf } from "#domain/watch/path";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { Approval } from "./approval.tsx";
import { Welcome } from "./welcome.tsx";

vi.mock("../../platform/api.ts", () => ({ api: { paymentRequests: { seeApproval: vi.fn<() => unknown>() } } }));
const seeApproval = vi.mocked(api.paymentRequests.seeApproval);
beforeEach(() => void seeApproval.mockReset().mockResolvedValue({ seen: true }));
afterEach(() => setVisibility("visible"));

function setVisibility(value: DocumentVisibilityState): void {
  Object.defineProperty(document, "visibilityState", { value, configurable: true });
  act(() => void document.dispatchEvent(new Event("visibilitychange")));
}

const request = (changes: Partial<PaymentRequest>): PaymentRequest =>
  ({
    id: "1",
    package_type: "advanced",
    status: "approved",
    approval_seen_at: null,
    receipt_number: "2026-00001",
    rest: null,
    ...changes,
  }) as PaymentRequest;
const video = (id: string, title: string, more: Partial<Video> = {}): Video =>
  ({ id, title, module: "Forex Basics", module_order: null, playable: true, progress: null, ...more }) as Video;
const videos = [
  video("a", "Counting", { module: "Elliott Wave" }),
  video("b", "Pips", { module_order: 1 }),
  video("c", "Locked", { playable: false, module_order: 1 }),
];
const path = pathOf(videos);

// JOURNEY-4
test("an unseen approval is celebrated, marked as seen, and stays until it is closed", async () => {
  const { user, rerender } = show(<Approval tier="advanced" requests={[request({})]} path={path} />);
  expect(screen.getByRole("heading", { name: "Advanced is yours" })).toBeDefined();
  expect(screen.getByRole("button", { name: "Start lesson one (Pips)" })).toBeDefined();
  expect(screen.getByRole("link", { name: "Receipt 2026-00001" }).getAttribute("href")).toBe("/student/receipts/1");
  await waitFor(() => expect(seeApproval).toHaveBeenCalledWith({ params: { id: "1" } }));
  rerender(<Approval tier="advanced" requests={[request({ approval_seen_at: "2026-11-22T00:00:00Z" })]} path={path} />);
  expect(screen.getByRole("heading", { name: "Advanced is yours" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(screen.queryByRole("heading")).toBeNull();
});

test("an approval counts as seen only once its page is visible", async () => {
  setVisibility("hidden");
  show(<Approval tier="advanced" requests={[request({})]} path={path} />);
  dispatchEvent(new Event("online"));
  await act(() => Promise.resolve());
  expect(seeApproval).not.toHaveBeenCalled();
  setVisibility("visible");
  await waitFor(() => expect(seeApproval).toHaveBeenCalledOnce());
});

test("only a newer unseen approval takes the place of the celebrated one", () => {
  const seen = { approval_seen_at: "2026-11-22T00:00:00Z" };
  const older = request({ id: "0", package_type: "starter" });
  const { rerender } = show(<Approval tier="advanced" requests={[request({}), older]} path={path} />);
  rerender(<Approval tier="advanced" requests={[request(seen), older]} path={path} />);
  expect(screen.getByRole("heading", { name: "Advanced is yours" })).toBeDefined();
  const newer = request({ id: "2", package_type: "starter" });
  rerender(<Approval tier="advanced" requests={[newer, request(seen), older]} path={path} />);
  expect(screen.getByRole("heading", { name: "Starter is yours" })).toBeDefined();
});

test("an older approval is celebrated once the newer celebration is closed", async () => {
  const older = request({ id: "0", package_type: "starter", receipt_number: "2026-00002" });
  const { user, rerender, container } = show(<Approval tier="advanced" requests={[request({})]} path={path} />);
  await user.click(screen.getByRole("button", { name: "Close" }));
  rerender(<Approval tier="advanced" requests={[request({}), older]} path={path} />);
  expect(screen.getByRole("heading", { name: "Starter is yours" })).toBeDefined();
  await user.click(screen.getByRole("button", { name: "Close" }));
  expect(container.textContent).toBe("");
});

test("an approval that was undone and given again is celebrated again on an open page", async () => {
  const { user, rerender } = show(<Approval tier="advanced" requests={[request({})]} path={path} />);
  await user.click(screen.getByRole("button", { name: "Close" }));
  rerender(<Approval tier="advanced" requests={[request({ receipt_number: "2026-00002" })]} path={path} />);
  expect(screen.getByRole("heading", { name: "Advanced is yours" })).toBeDefined();
});

test.each([
  ["seen", { approval_seen_at: "2026-11-22T00:00:00Z" }],
  ["pending", { status: "pending" }],
  ["rejected", { status: "rejected" }],
] as const)("a request that is %s is not celebrated", (_, changes) => {
  const { container } = show(<Approval tier="advanced" requests={[request(changes)]} path={path} />);
  expect(container.textContent).toBe("");
  expect(seeApproval).not.toHaveBeenCalled();
});

test.each([
  ["the approval is undone", "unpaid", { status: "pending", receipt_number: null }],
  ["the package is taken away", "unpaid", {}],
  ["a smaller package takes its place", "starter", {}],
] as const)("the celebration ends when %s", (_, tier, changes) => {
  const { container, rerender } = show(<Approval tier="advanced" requests={[request({})]} path={path} />);
  expect(screen.getByRole("heading", { name: "Advanced is yours" })).toBeDefined();
  rerender(<Approval tier={tier} requests={[request(changes)]} path={path} />);
  expect(container.textContent).toBe("");
});

test("an approval whose package was taken away before it was seen is not celebrated", () => {
  const { container } = show(<Approval tier="unpaid" requests={[request({})]} path={path} />);
  expect(container.textContent).toBe("");
  expect(seeApproval).not.toHaveBeenCalled();
});

// JOURNEY-5
test("an open request takes the place of the message for the unpaid", () => {
  const me = { full_name: "Malee", subscription_status: "unpaid" } as Me;
  const { rerender } = show(<Welcome me={me} open={undefined} videos={videos} moduleCount={2} />);
  expect(screen.getByText(texts.student.unpaidMessage)).toBeDefined();
  rerender(<Welcome me={me} open={request({ status: "pending" })} videos={videos} moduleCount={2} />);
  expect(screen.queryByText(texts.student.unpaidMessage)).toBeNull();
  expect(screen.getByText(/Advanced package is being checked/)).toBeDefined();
});

test("the message about a rest names it as still to pay", () => {
  const me = { full_name: "Malee", subscription_status: "unpaid" } as Me;
  const open = request({ status: "pending", rest: {} as NonNullable<PaymentRequest["rest"]> });
  show(<Welcome me={me} open={open} videos={videos} moduleCount={2} />);
  expect(screen.getByText("A part of your payment for the Advanced package is still to pay.")).toBeDefined();
});

test("the message about a free request does not mention a payment", () => {
  const me = { full_name: "Malee", subscription_status: "unpaid" } as Me;
  const open = request({ status: "rejected", crypto_type: null });
  show(<Welcome me={me} open={open} videos={videos} moduleCount={2} />);
  expect(screen.getByText("Your request for the Advanced package needs another look from you.")).toBeDefined();
});

test("the videos that play and the locked ones are counted apart", () => {
  const me = { full_name: "Malee", subscription_status: "unpaid" } as Me;
  show(<Welcome me={me} open={undefined} videos={videos} moduleCount={2} />);
  const countOf = (name: string): string | null | undefined =>
    screen.getByText(name).parentElement?.querySelector("dd")?.textContent;
  expect([countOf("Available Videos"), countOf("Locked Videos"), countOf("Course Modules")]).toEqual(["2", "1", "2"]);
});
