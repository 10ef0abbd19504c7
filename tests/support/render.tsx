import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, type RenderResult } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { createMemoryRouter, MemoryRouter, RouterProvider } from "react-router";
import { afterEach } from "vitest";
import { queryClient } from "../../src/web/platform/query/query-client.ts";

// On a busy machine a screen may take longer than the usual second.
configure({ asyncUtilTimeout: 60_000 });
afterEach(() => {
  cleanup();
  queryClient.clear();
});

/** Renders a component as it stands in a page; returns the person at the screen too. */
export function show(element: ReactNode): RenderResult & { user: UserEvent } {
  const user = userEvent.setup();
  const page = (content: ReactNode): ReactNode => (
    <QueryClientProvider client={queryClient}>
      <MemoryRouter>{content}</MemoryRouter>
    </QueryClientProvider>
  );
  const result = render(page(element));
  return { ...result, user, rerender: (content) => result.rerender(page(content)) };
}

/** Renders the content of the admin's page at `/admin`, with a router that has empty pages at all other addresses; returns the router too. */
export function showAdmin(element: ReactNode, at = "/admin") {
  const user = userEvent.setup();
  const router = createMemoryRouter(
    [
      { path: "admin", element },
      { path: "*", element: null },
    ],
    { initialEntries: [at] },
  );
  const result = render(
    <QueryClientProvider client={queryClient}>
      <RouterProvider router={router} />
    </QueryClientProvider>,
  );
  return { ...result, user, router };
}
