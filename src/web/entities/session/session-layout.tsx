import { QueryClientProvider } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Outlet } from "react-router";
import { queryClient } from "../../platform/query/query-client.ts";
import { SessionProvider } from "./session.tsx";

/** The layout of every route that depends on who is signed in. */
export function SessionLayout(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Outlet />
      </SessionProvider>
    </QueryClientProvider>
  );
}
