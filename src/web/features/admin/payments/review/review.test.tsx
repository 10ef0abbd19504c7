// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { useState, type ReactNode } from "react";
import { beforeEach, expect, onTestFinished, test, vi } from "vitest";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { show } from "../../../../../../tests/support/render.tsx";
import { api } from "../../../../platform/api.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ConfirmDialog } from "../../../../ui/dialog.tsx";
import { Toasts } from "../../../../ui/toast.tsx";
import { Review } from "./review.tsx";

vi.mock("../../../../platform/api.ts", () => ({
  api: {
    paymentRequests: {
      list: vi.fn<() => unknown>(),
      reopen: vi.fn<() => unknown>(),
    },
  },
}));

interface PanelProps {
  id: string;
  focusOn: object | undefined;
  steps: ReactNode;
  ownStatus: string | undefined;
  onDecided: (decided: ReviewedPaymentRequest) => void;
}
let reply = (): void => {};
/** Has a decision whose reply comes when the test says so, and a question. */
function Panel({ id, focusOn, steps, ownStatus, onDecided }: PanelProps): ReactNode {
  const [isAsking, setAsking] = useState(false);
  return (
    <>
      <h2>{focusOn ? `${id}, focused` : id}</h2>
      {steps}
      <p data-own-status>{ownStatus}</p>
      <button onClick={() => (reply = () => onDecided(request(id, "approved")))}>Approve</button>
      <button onClick={() => setAsking(true)}>Reject</button>
      <ConfirmDialog open={isAsking} title="Reject it" confirmLabel="Send" onConfirm={() => {}} onCancel={() => {}}>
        Why?
      </ConfirmDialog>
    </>
  );
}
vi.mock("../request/queries.ts", () => ({
  paymentRequestOptions: (id: string) => ({ queryKey: [id], queryFn: () => id }),
  pictureOptions: (id: string) => ({ queryKey: [id, "picture"], queryFn: () => id }),
}));
vi.mock("../request/panel.tsx", () => ({ RequestPanel: (props: PanelProps) => <Panel {...props} /> }));

const { list, reopen } = vi.mocked(api.paymentRequests);
const request = (id: string, status = "pending") =>
  ({
    id,
    status,
    full_name: `Student ${id}`,
    email: `${id}@example.com`,
    package_type: "starter",
    payer_tier: "unpaid",
    crypto_type: null,
    screenshot_url: id === "c" ? null : `${id}.png`,
    amount_usd: "10",
    created_at: "2026-11-26T00:00:00.000Z",
    evidence: [],
  }) as unknown as ReviewedPaymentRequest;
const onOpen = vi.fn<(id: string | undefined) => void>();
let undone = (): void => {};
beforeEach(() => {
  onOpen.mockReset();
  list.mockReset().mockResolvedValue({ items: ["a", "b", "c"].map((id) => request(id)), next_cursor: null });
  reopen.mockReset().mockReturnValue(new Promise((resolve) => (undone = () => resolve(request("a")))));
});

function Desk(): ReactNode {
  const [id, setId] = useState<string | undefined>("a");
  const open = (next: string | undefined): void => {
    onOpen(next);
    setId(next);
  };
  return <Review filter={{}} openId={id} onOpen={open} isPage />;
}
/** Opens the queue and decides its first request. */
const decide = async () => {
  const shown = show(<Desk />);
  await screen.findByText("1 of 3");
  await shown.user.click(screen.getByRole("button", { name: "Approve" }));
  return shown;
};
const heading = (): string => document.querySelector("h2")!.textContent;

// REVIEW-1, REVIEW-5
test("a decision brings up the next request, and its undo the decided one", async () => {
  const { user } = await decide();
  act(reply);
  expect(heading()).toBe("b, focused");
  await user.keyboard("u");
  await act(async () => undone());
  expect(heading()).toBe("a, focused");
});

// REVIEW-1
test("the next requests are read before they are opened, with their pictures if any", async () => {
  show(<Desk />);
  await screen.findByText("1 of 3");
  await waitFor(() => expect(queryClient.getQueryData(["c"])).toBe("c"));
  expect(["b", "c"].map((id) => queryClient.getQueryData([id, "picture"]))).toEqual(["b", undefined]);
});

// REVIEW-6
test("the undo of a decision is known as that of this window", async () => {
  const { user } = await decide();
  const ownStatus = () => document.querySelector("[data-own-status]")?.textContent;
  act(reply);
  await user.keyboard("k");
  // Opened anew, so that its status is no news.
  expect(ownStatus()).toBe("");
  await user.keyboard("u");
  await act(async () => undone());
  expect(ownStatus()).toBe("pending");
});

test("the key undoes nothing that its toast has undone", async () => {
  show(<Toasts />);
  const { user } = await decide();
  act(reply);
  await user.click(await screen.findByRole("button", { name: "Undo" }));
  await user.keyboard("u");
  expect(reopen).toHaveBeenCalledOnce();
});

// REVIEW-2, REVIEW-5
test("the key undoes a decision for as long as its message stays", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true, toFake: ["setTimeout", "clearTimeout", "Date"] });
  onTestFinished(() => void vi.useRealTimers());
  show(<Toasts />);
  const { user } = await decide();
  act(reply);
  await user.hover(screen.getByRole("dialog"));
  act(() => void vi.advanceTimersByTime(60_000));
  await user.keyboard("u");
  expect(reopen).toHaveBeenCalledOnce();
  await user.click(screen.getByRole("button", { name: "Approve" }));
  act(reply);
  act(() => void vi.advanceTimersByTime(11_000));
  await user.keyboard("u");
  expect(reopen).toHaveBeenCalledOnce();
});

test("a late reply leaves the admin at the request that they went on to", async () => {
  const { user } = await decide();
  await user.keyboard("jj");
  act(reply);
  expect(heading()).toBe("c, focused");
  await user.keyboard("u");
  expect(reopen).toHaveBeenCalledOnce();
});

test("a late reply opens nothing once the review was left", async () => {
  const { unmount } = await decide();
  unmount();
  reply();
  expect(onOpen).not.toHaveBeenCalled();
});

test("an undo that ends late leaves the admin at the request that they went on to", async () => {
  const { user } = await decide();
  act(reply);
  await user.keyboard("uj");
  await act(async () => undone());
  expect(heading()).toBe("c, focused");
});

test("an undo that ends late leaves an open question alone", async () => {
  const { user } = await decide();
  act(reply);
  await user.keyboard("u");
  await user.click(screen.getByRole("button", { name: "Reject" }));
  await act(async () => undone());
  expect(heading()).toBe("b, focused");
});
