// @vitest-environment happy-dom
import { act, screen, waitFor } from "@testing-library/react";
import { afterEach, expect, test, vi } from "vitest";
import { show } from "../../../tests/support/render.tsx";
import { toast, Toasts } from "./toast.tsx";

afterEach(() => void vi.useRealTimers());

function announce(options: Parameters<typeof toast>[0]): () => void {
  let close = (): void => {};
  act(() => {
    close = toast(options);
  });
  return close;
}
const closed = (name: string) => waitFor(() => expect(screen.queryByRole("dialog", { name })).toBeNull());

test("a toast is announced politely and named by its title", () => {
  show(<Toasts />);
  announce({ title: "Approved", description: "malee@example.com" });
  const dialog = screen.getByRole("dialog", { name: "Approved" });
  expect(dialog.textContent).toContain("malee@example.com");
  expect(dialog.closest("[aria-live=polite]")).not.toBeNull();
});

test("a toast's action runs once and closes it", async () => {
  const run = vi.fn<() => void>();
  const { user } = show(<Toasts />);
  announce({ title: "Approved", action: { label: "Undo", run } });
  await user.click(screen.getByRole("button", { name: "Undo" }));
  expect(run).toHaveBeenCalledOnce();
  await closed("Approved");
});

test("a toast leaves after ten seconds, and not while the pointer is on it", async () => {
  vi.useFakeTimers({ shouldAdvanceTime: true });
  const { user } = show(<Toasts />);
  announce({ title: "Approved" });
  act(() => void vi.advanceTimersByTime(9000));
  await user.hover(screen.getByRole("dialog"));
  act(() => void vi.advanceTimersByTime(60_000));
  expect(screen.getByRole("dialog", { name: "Approved" })).toBeDefined();
  await user.unhover(screen.getByRole("dialog"));
  act(() => void vi.advanceTimersByTime(2000));
  await closed("Approved");
});

test("the focus returns to the page when a toast is closed by the keyboard", async () => {
  const { user } = show(
    <>
      <button type="button">Next</button>
      <Toasts />
    </>,
  );
  announce({ title: "Approved" });
  screen.getByRole("button", { name: "Next" }).focus();
  await user.keyboard("{F6}{Tab}{Escape}");
  await closed("Approved");
  expect(document.activeElement).toBe(screen.getByRole("button", { name: "Next" }));
});

test("code that made a toast can close it", async () => {
  show(<Toasts />);
  const close = announce({ title: "Approved" });
  act(close);
  await closed("Approved");
});

// REVIEW-5
test("many toasts all keep their actions", () => {
  show(<Toasts />);
  for (let count = 1; count <= 12; count += 1)
    announce({ title: `Approved ${count}`, action: { label: "Undo", run: () => {} } });
  const buttons = screen.getAllByRole("button", { name: "Undo" });
  expect(buttons).toHaveLength(12);
  expect(buttons.filter((button) => button.closest("[inert]"))).toEqual([]);
});
