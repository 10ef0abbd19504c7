// @vitest-environment happy-dom
import { act, cleanup, render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test, vi } from "vitest";
import { errors } from "#domain/errors/messages";
import { RouteError } from "./route-error.tsx";

afterEach(() => {
  cleanup();
  vi.restoreAllMocks();
});

const Crash = (): never => {
  throw new Error("drawn badly");
};

function showCrash(): HTMLElement {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const router = createMemoryRouter([{ path: "/", Component: Crash, ErrorBoundary: RouteError }]);
  return render(<RouterProvider router={router} />).container;
}

// KEYS-1
test("the page for a crash begins with a link past its header", async () => {
  const container = showCrash();
  expect(await screen.findByText(errors.unexpected.text)).toBeDefined();
  const first = container.querySelector("a, button");
  expect(first?.textContent).toBe("Skip to content");
  expect(first?.getAttribute("href")).toBe(`#${screen.getByRole("main").id}`);
});

// KEYS-6
test("a page that cannot be opened offline says so, and opens once online", async () => {
  vi.spyOn(navigator, "onLine", "get").mockReturnValue(false);
  const reload = vi.spyOn(location, "reload").mockImplementation(() => {});
  showCrash();
  expect(await screen.findByRole("heading", { name: "You are offline" })).toBeDefined();
  expect(screen.queryByText(errors.unexpected.text)).toBeNull();
  // It would lead to the browser's own page, which stays.
  expect(screen.queryByRole("button", { name: "Reload the page" })).toBeNull();
  expect(reload).not.toHaveBeenCalled();
  act(() => void dispatchEvent(new Event("online")));
  expect(reload).toHaveBeenCalledOnce();
});
