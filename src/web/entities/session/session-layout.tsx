import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, type ReactNode } from "react";
import { Outlet } from "react-router";
import { queryClient } from "../../platform/query/query-client.ts";
import { useIsStepUpAsked } from "../../platform/step-up.ts";
import { SessionProvider } from "./session.tsx";

/** Loaded on first use, since most visits never need it. */
const StepUpDialog = lazy(async () => ({ default: (await import("./step-up-dialog.tsx")).StepUpDialog }));

function StepUpQuestion(): ReactNode {
  return useIsStepUpAsked() ? (
    <Suspense>
      <StepUpDialog />
    </Suspense>
  ) : null;
}

/** The layout of every route that depends on who is signed in. */
export function SessionLayout(): ReactNode {
  return (
    <QueryClientProvider client={queryClient}>
      <SessionProvider>
        <Outlet />
        <StepUpQuestion />
      </SessionProvider>
    </QueryClientProvider>
  );
}
