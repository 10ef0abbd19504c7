import { QueryClientProvider } from "@tanstack/react-query";
import { cleanup, configure, render, type RenderResult } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";
import type { ReactNode } from "react";
import { MemoryRouter } from "react-router";
import { afterEach } from "vitest";
import { queryClient } from "../../src/web/platform/query/query-client.ts";

// On a busy machine a screen may take longer than the usual second.
configure({ asyncUtilTimeout: 15_000 });
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
