import { queryOptions, useQuery, type UseQueryResult } from "@tanstack/react-query";
import { createContext, use, useEffect, useState, type ReactNode } from "react";
import { useNavigate, type Location } from "react-router";
import type { Me } from "#domain/api/account";
import { ProductError } from "#domain/errors/messages";
import { api } from "../../platform/api.ts";
import {
  endSession,
  forgetSessionLoss,
  isSessionStored,
  needsSecondFactor,
  renewOrLoseSession,
  watchSession,
} from "../../platform/auth-client.ts";
import { productErrorOf } from "../../platform/errors.ts";
import { forgetKeptState, keepStateFor } from "../../platform/kept-state.ts";
import { demoStudent } from "../../demo/api.ts";
import { queryClient } from "../../platform/query/query-client.ts";

export type SessionState =
  | { status: "loading" }
  | { status: "signed-out" }
  /** The password was right; the code of the second factor is missing (FACTOR-2). */
  | { status: "second-factor" }
  /** `asOf` is when the server said so, in milliseconds. */
  | { status: "signed-in"; me: Me; asOf: number }
  /** There is a session, but it could not be renewed, or who it belongs to could not be asked. */
  | { status: "unreachable"; error: Error; retry: () => void };

function fetchMe(): Promise<Me> {
  return api.account.me();
}

/** What `useSession` reads; a preview replaces it. */
export const SessionContext = createContext<SessionState>({ status: "loading" });

export const useSession = (): SessionState => use(SessionContext);

/** Returns the signed-in account, on pages behind a guard. */
export function useMe(): Me {
  const session = useSession();
  if (session.status !== "signed-in") throw new Error("This page needs a session.");
  return session.me;
}

/** Returns the page where an account begins. */
export function homeOf({ role }: Me): string {
  return role === "admin" ? "/admin" : "/student";
}

const meOptions = (accountId: string | null | undefined) =>
  queryOptions({ queryKey: ["me", accountId], queryFn: fetchMe, meta: { staleAfter: ["profile"] } });

/** Reads the signed-in account again, after it or its session has changed. */
export function refreshMe(): Promise<void> {
  return queryClient.invalidateQueries({ queryKey: ["me"] });
}

/** Follows the auth client; role and profile come from the server (ACCESS-2). */
function LiveSession({ children }: { children: ReactNode }): ReactNode {
  const account = useAccount();
  const signedIn = typeof account === "object" ? account : null;
  // Before the code of the second factor the server refuses to say who this is.
  const me = useQuery({ ...meOptions(signedIn?.id), enabled: signedIn?.needsCode === false });
  return <SessionContext value={stateOf(account, me)}>{children}</SessionContext>;
}

interface SignedInAccount {
  id: string;
  /** Whether the code of the second factor is missing (FACTOR-2). */
  needsCode: boolean;
}

/** The account of the session; null without one, undefined while that is not known yet, `unreachable` where it could not be renewed so far. */
type Account = SignedInAccount | "unreachable" | null | undefined;

/** Whose session this page has seen last; null without one, undefined before the first. */
let lastSeen: string | null | undefined;

/** Milliseconds after which a page says that its session cannot be renewed so far; auth-js goes on trying (SESSION-5). */
const maxRenewalMs = 45_000;

function useAccount(): Account {
  const [account, setAccount] = useState<Account>(() => (isSessionStored() ? undefined : null));
  useEffect(() => {
    const timer = setTimeout(() => setAccount((known) => (known === undefined ? "unreachable" : known)), maxRenewalMs);
    const stopWatching = watchSession((session) => {
      if (session === undefined) return setAccount("unreachable");
      const next = session?.user.id ?? null;
      // What one person saw is not for the next one at this browser, also where the page watched no session in between.
      if (lastSeen !== undefined && lastSeen !== next) queryClient.clear();
      lastSeen = next;
      if (session) {
        keepStateFor(session.user.id);
        forgetSessionLoss();
      }
      setAccount(session && { id: session.user.id, needsCode: needsSecondFactor(session) });
    });
    return () => {
      clearTimeout(timer);
      stopWatching();
    };
  }, []);
  return account;
}

function stateOf(account: Account, me: UseQueryResult<Me>): SessionState {
  if (account === undefined) return { status: "loading" };
  if (account === "unreachable") {
    return { status: "unreachable", error: new ProductError("auth_unreachable"), retry: () => void renewOrLoseSession() };
  }
  if (account === null) return { status: "signed-out" };
  if (account.needsCode) return { status: "second-factor" };
  if (me.data) return { status: "signed-in", me: me.data, asOf: me.dataUpdatedAt };
  if (productErrorOf(me.error).code === "second_factor_needed") return { status: "second-factor" };
  if (me.error) return { status: "unreachable", error: me.error, retry: () => void me.refetch() };
  return { status: "loading" };
}

/** Without a backend a sample student is at the screen (DEMO-1). */
function DemoSession({ children }: { children: ReactNode }): ReactNode {
  return <SessionContext value={{ status: "signed-in", me: demoStudent, asOf: 0 }}>{children}</SessionContext>;
}

export const SessionProvider = import.meta.env.MODE === "demo" ? DemoSession : LiveSession;

const logout = { isLogout: true };

/** Whether a place is gone to because of a logout, which no unsaved input holds up. */
export const isLogout = ({ state }: Location): boolean => (state as typeof logout | null)?.isLogout === true;

/** Milliseconds that signing out waits for the landing page, which may never load on a stalled line (SESSION-5). */
const maxLeaveMs = 1000;

/** Signs out and goes to the landing page. Leaves first where that page loads in time; otherwise `isLogout` keeps guards from sending to /auth. */
export function useLogout(): () => Promise<void> {
  const navigate = useNavigate();
  return async () => {
    const leaving = navigate("/", { state: logout });
    await Promise.race([leaving, new Promise((resolve) => setTimeout(resolve, maxLeaveMs))]);
    forgetKeptState();
    if (import.meta.env.MODE !== "demo") await endSession();
  };
}
