import { useState, type ComponentType, type ReactNode } from "react";
import { Navigate, Outlet, useLocation, useMatches, useNavigation } from "react-router";
import { ownPageOf, signInPage } from "#domain/accounts/next-page";
import type { Me } from "#domain/api/account";
import { errors } from "#domain/errors/messages";
import { texts } from "#domain/texts/texts";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { ContactLine } from "../../ui/contact-line.tsx";
import { Notice } from "../../ui/notice.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { messageOf } from "../../platform/errors.ts";
import { LiveUpdates } from "../../platform/live/live-updates.tsx";
import { homeOf, isLogout, useSession, type SessionState } from "./session.tsx";

interface GuardProps {
  admits: (me: Me) => boolean;
  /** Rendered when the session ends while the page is open, instead of a redirect to /auth. */
  ended?: ReactNode;
}

/** Renders the page for users that the check admits; sends others to their own pages, and visitors to /auth (ACCESS-6), which leads back here. */
function Guard({ admits, ended }: GuardProps): ReactNode {
  const session = useSession();
  const [wasOpen, setWasOpen] = useState(false);
  if (session.status === "signed-in" && !wasOpen) setWasOpen(true);
  if (session.status === "signed-out" && wasOpen && ended !== undefined) return ended;
  if (session.status !== "signed-in") return <WithoutSession session={session} />;
  if (!admits(session.me)) return <Elsewhere me={session.me} />;
  return (
    <LiveUpdates>
      <Outlet />
    </LiveUpdates>
  );
}

/** An unverified user is sent to the page for the code, which leads back here. */
function Elsewhere({ me }: { me: Me }): ReactNode {
  const toSignIn = useSignInPage();
  const isNotYet = me.role === "student" && !me.email_verified;
  return <Navigate to={isNotYet ? toSignIn : homeOf(me)} replace />;
}

function WithoutSession({ session }: { session: Exclude<SessionState, { status: "signed-in" }> }): ReactNode {
  const toSignIn = useSignInPage();
  const { location: next } = useNavigation();
  // Who signs out goes to the landing page, also where its scripts come late.
  if (session.status === "loading" || (next && isLogout(next))) return <RouteLoading />;
  if (session.status === "unreachable") return <Unreachable error={session.error} retry={session.retry} />;
  return <Navigate to={toSignIn} replace />;
}

/** Returns the address of the sign-in page that leads back here; to the top of the page where its fragment cannot be passed on. */
function useSignInPage(): string {
  const { pathname, search, hash } = useLocation();
  return signInPage(ownPageOf(pathname + search + hash) ?? pathname + search);
}

/** What the route itself displays while it loads, where it says so in its `handle`. */
function RouteLoading(): ReactNode {
  const handle = useMatches().at(-1)?.handle as { Loading?: ComponentType } | undefined;
  return handle?.Loading ? <handle.Loading /> : <PageLoading text={texts.session.loading} />;
}

/** The session is there, but the server is not. */
export function Unreachable({ error, retry }: { error: Error; retry: () => void }): ReactNode {
  return (
    <main id="content" tabIndex={-1} className="outline-none grid min-h-dvh place-items-center p-6">
      <div role="alert" className="grid max-w-md justify-items-center gap-4 text-center">
        <p>{messageOf(error, "unavailable")}</p>
        <Button onClick={retry}>Try again</Button>
        <ContactLine>If this goes on, write to</ContactLine>
      </div>
    </main>
  );
}

export function StudentGuard(): ReactNode {
  return <Guard admits={(me) => me.role === "student" && me.email_verified} />;
}

/** For pages that students and the admin share. */
export function MemberGuard(): ReactNode {
  return <Guard admits={isMember} />;
}

const isMember = (me: Me): boolean => me.role === "admin" || me.email_verified;

/** For the player: a film that stops with its session says so, and goes on after signing in (WATCH-6). */
export function WatchGuard(): ReactNode {
  return <Guard admits={isMember} ended={<SignedOut />} />;
}

function SignedOut(): ReactNode {
  const toSignIn = useSignInPage();
  return (
    <Notice
      code="Lesson"
      title="You are signed out"
      backTo="/"
      backLabel="Back to the course page"
      action={<ButtonLink to={toSignIn}>Sign in</ButtonLink>}
    >
      {errors.not_signed_in.text} The lesson goes on where it stopped.
    </Notice>
  );
}

export function AdminGuard(): ReactNode {
  return <Guard admits={(me) => me.role === "admin"} />;
}
