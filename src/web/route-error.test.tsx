// @vitest-environment happy-dom
import { render, screen } from "@testing-library/react";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test, vi } from "vitest";
import { errors } from "#domain/errors/messages";
import { RouteError } from "./route-error.tsx";

// KEYS-1
test("the page for a crash begins with a link past its header", async () => {
  vi.spyOn(console, "error").mockImplementation(() => {});
  const Crash = (): never => {
    throw new Error("drawn badly");
  };
  const router = createMemoryRouter([{ path: "/", Component: Crash, ErrorBoundary: RouteError }]);
  const { container } = render(<RouterProvider router={router} />);
  expect(await screen.findByText(errors.unexpected.text)).toBeDefined();
  const first = container.querySelector("a, button");
  expect(first?.textContent).toBe("Skip to content");
  expect(first?.getAttribute("href")).toBe(`#${screen.getByRole("main").id}`);
});
