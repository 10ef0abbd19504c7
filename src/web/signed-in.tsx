import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { queryClient } from "./platform/query-client.ts";
import { SessionProvider } from "./platform/session.tsx";

/** Around every route that knows who is there. */
export function WithSession(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Outlet />
      </SessionProvider>
    </QueryClientProvider>
  );
}
