// @vitest-environment happy-dom
import { cleanup, render, screen } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { createMemoryRouter, RouterProvider } from "react-router";
import { afterEach, expect, test } from "vitest";
import { Root } from "./root.tsx";

const Page = () => (
  <main id="content" tabIndex={-1}>
    <a href="#pricing">Pricing</a>
    <section id="pricing" aria-label="Pricing" />
  </main>
);

afterEach(cleanup);

// KEYS-1
test("a link to a part of the page goes through the router and takes the focus along", async () => {
  window.scrollTo = () => {};
  const router = createMemoryRouter([{ Component: Root, children: [{ index: true, Component: Page }] }]);
  render(<RouterProvider router={router} />);
  const user = userEvent.setup();
  await user.click(await screen.findByRole("link", { name: "Pricing" }));
  await expect.poll(() => router.state.location.hash).toBe("#pricing");
  // A step back or forward would restore a former position.
  expect(router.state.historyAction).not.toBe("POP");
  expect(document.activeElement).toBe(screen.getByRole("region", { name: "Pricing" }));
  await user.click(screen.getByRole("link", { name: "Skip to content" }));
  expect(document.activeElement).toBe(screen.getByRole("main"));
});

test("skipping to the content leaves the address and the state of the history entry", async () => {
  const link = { pathname: "/", state: { token: "of a mailed link" } };
  const router = createMemoryRouter([{ Component: Root, children: [{ index: true, Component: Page }] }], {
    initialEntries: [link],
  });
  render(<RouterProvider router={router} />);
  await userEvent.setup().click(await screen.findByRole("link", { name: "Skip to content" }));
  expect(document.activeElement).toBe(screen.getByRole("main"));
  expect(router.state.location).toMatchObject({ ...link, hash: "" });
});
