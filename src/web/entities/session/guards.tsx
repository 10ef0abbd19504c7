import type { ReactNode } from "react";
import { Navigate, Outlet } from "react-router";
import type { Me } from "#domain/api/account";
import { texts } from "#domain/texts/texts";
import { Button } from "../../ui/button.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { messageOf } from "../../platform/errors.ts";
import { LiveUpdates } from "../../platform/live/live-updates.tsx";
import { useSession, type SessionState } from "./session.tsx";

/** Lets through whom the check admits; everyone else goes to /auth, which sends on to where they belong (ACCESS-6). */
function Guard({ admits }: { admits: (me: Me) => boolean }): ReactNode {
  const session = useSession();
  if (session.status !== "signed-in") return <WithoutSession session={session} />;
  if (!admits(session.me)) return <Navigate to="/auth" replace />;
  return (
    <LiveUpdates>
      <Outlet />
    </LiveUpdates>
  );
}

function WithoutSession({ session }: { session: Exclude<SessionState, { status: "signed-in" }> }): ReactNode {
  if (session.status === "loading") return <PageLoading text={texts.session.loading} />;
  if (session.status === "unreachable") return <Unreachable error={session.error} retry={session.retry} />;
  return <Navigate to="/auth" replace />;
}

/** The session is there, but the server is not. */
export function Unreachable({ error, retry }: { error: Error; retry: () => void }): ReactNode {
  return (
    <main className="grid min-h-dvh place-items-center p-6">
      <div role="alert" className="grid max-w-md justify-items-center gap-4 text-center">
        <p>{messageOf(error, "unavailable")}</p>
        <Button onClick={retry}>Try again</Button>
      </div>
    </main>
  );
}

export function StudentGuard(): ReactNode {
  return <Guard admits={(me) => me.role === "student" && me.email_verified} />;
}

/** For pages that students and the admin share. */
export function MemberGuard(): ReactNode {
  return <Guard admits={(me) => me.role === "admin" || me.email_verified} />;
}

export function AdminGuard(): ReactNode {
  return <Guard admits={(me) => me.role === "admin"} />;
}
