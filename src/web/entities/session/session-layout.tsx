import { QueryClientProvider } from "@tanstack/react-query";
import { lazy, Suspense, useEffect, type ReactNode } from "react";
import { Outlet } from "react-router";
import { useLoaded } from "../../platform/part.ts";
import { queryClient } from "../../platform/query/query-client.ts";
import { failStepUp, settleStepUp, useIsStepUpAsked } from "../../platform/step-up.ts";
import { SessionProvider, useSession } from "./session.tsx";

/** Loaded on first use, since most visits never need it. */
const loadDialog = async () => ({ default: (await import("./step-up-dialog.tsx")).StepUpDialog });
const StepUpDialog = lazy(loadDialog);

function StepUpQuestion(): ReactNode {
  const isAsked = useIsStepUpAsked();
  const isLoaded = useLoaded(isAsked, loadDialog, failStepUp);
  const isSignedOut = useSession().status === "signed-out";
  useEffect(() => {
    if (isSignedOut) settleStepUp(false);
  }, [isSignedOut]);
  return isAsked && isLoaded ? (
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
