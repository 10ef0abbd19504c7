// @vitest-environment happy-dom
import { act, screen } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { show } from "../../../../tests/support/render.tsx";
import { api } from "../../platform/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { useAreNoticesRead } from "./notices.tsx";

vi.mock("../../platform/api.ts", () => {
  const call = () => vi.fn<() => unknown>();
  return {
    api: {
      guard: { changes: call() },
      mailFailures: { list: call() },
      coinPrices: { list: call() },
    },
  };
});
vi.spyOn(console, "error").mockImplementation(() => {});

beforeEach(() => {
  vi.useFakeTimers();
  queryClient.clear();
  for (const reply of [api.guard.changes, api.mailFailures.list]) vi.mocked(reply).mockResolvedValue({ items: [] } as never);
});
afterEach(() => vi.useRealTimers());

const Tabs = () => (useAreNoticesRead() ? "tabs" : "nothing yet");
const pass = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));

test("the tabs are drawn once the last notice above them is read", async () => {
  let reply = (_prices: object): void => {};
  vi.mocked(api.coinPrices.list).mockReturnValue(new Promise((resolve) => (reply = resolve)) as never);
  show(<Tabs />);
  await pass(500);
  expect(screen.getByText("nothing yet")).toBeDefined();
  reply({ items: [], refresh_seconds: null });
  await pass(10);
  expect(screen.getByText("tabs")).toBeDefined();
});

test("the tabs wait a second at most for notices, and not for a failed one", async () => {
  vi.mocked(api.coinPrices.list).mockReturnValue(new Promise(() => {}));
  const { unmount } = show(<Tabs />);
  await pass(990);
  expect(screen.getByText("nothing yet")).toBeDefined();
  await pass(20);
  expect(screen.getByText("tabs")).toBeDefined();
  unmount();

  queryClient.clear();
  vi.mocked(api.coinPrices.list).mockRejectedValue(new ProductError("offline"));
  show(<Tabs />);
  await pass(10);
  expect(screen.getByText("tabs")).toBeDefined();
});
