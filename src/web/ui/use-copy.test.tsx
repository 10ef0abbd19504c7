// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { CopyButton } from "./copy-button.tsx";
import { Middle } from "./middle.tsx";

beforeEach(() => void vi.useFakeTimers({ shouldAdvanceTime: true }));
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});
const passMinute = () => act(() => vi.advanceTimersByTimeAsync(60_000));
const copyButton = () => screen.getByRole("button", { name: /Copy.*the address/ });

test("a copied text is called copied for a moment", async () => {
  const { user } = show(<CopyButton text="0x12" what="the address" />);
  await user.click(copyButton());
  expect(await screen.findByText("Copied")).toBeDefined();
  await passMinute();
  expect(screen.queryByText("Copied")).toBeNull();
});

test("another text in the place of the copied one is not called copied", async () => {
  const { user, rerender } = show(<CopyButton text="0x12" what="the address" />);
  await user.click(copyButton());
  expect(await screen.findByText("Copied")).toBeDefined();
  rerender(<CopyButton text="bc1q" what="the address" />);
  expect(screen.queryByText("Copied")).toBeNull();
});

test("a second failed copy is said again to a screen reader", async () => {
  const { user } = show(<CopyButton text="0x12" what="the address" />);
  vi.spyOn(console, "error").mockImplementation(() => {});
  // As on a page that came by plain http.
  vi.spyOn(navigator, "clipboard", "get").mockReturnValue(undefined as never);
  await user.click(copyButton());
  const said = await screen.findByText("Copy by hand");
  const region = said.closest("[aria-live]")!;
  const texts: (string | null)[] = [];
  new MutationObserver(() => texts.push(region.textContent)).observe(region, {
    subtree: true,
    childList: true,
    characterData: true,
  });
  await user.click(copyButton());
  await waitFor(() => expect(texts.length).toBeGreaterThan(1));
  expect(texts.at(-1)).toContain("Copy by hand");
});

test("an address that cannot be copied stays readable whole", async () => {
  const address = "bc1qar0srrr7xfkvy5l643lydnw9re59gtzzwf5mdq";
  const { user } = show(<Middle text={address} what="the address" />);
  expect(screen.queryByText(address)).toBeNull();
  vi.spyOn(console, "error").mockImplementation(() => {});
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new TypeError());
  await user.click(copyButton());
  expect(await screen.findByText(address)).toBeDefined();
  await passMinute();
  expect(screen.getByText(address)).toBeDefined();
});
