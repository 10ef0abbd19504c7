// Over 250 lines: what begins, renews and ends the one session of this browser.
import { AuthClient, isAuthError, isAuthRetryableFetchError, isAuthSessionMissingError, type Session } from "@supabase/auth-js";
import { protocolCodes } from "#domain/api/auth";
import { ProductError } from "#domain/errors/messages";
import { authLock } from "./auth-lock.ts";
import { localStore, sessionStore } from "./browsers/storage.ts";
import { errorOfReply, logError, productErrorOf } from "./errors.ts";
import { isStateKept } from "./kept-state.ts";
import { repeatAfterStepUp } from "./step-up.ts";

/** Supabase's own prefix (SESSION-1); every stored entry of the auth client starts with it. */
const storagePrefix = "sb-";
const storageKey = `${storagePrefix}pipwright-auth-token`;

let wasRefreshRefused = false;
/** Whether a session was still stored when its renewal began, then when it was replied to. If not, its person signed out in another tab. */
let wasStored = false;

/** Long, since its token may be used already, and another use comes too late (SESSION-3). */
const maxRefreshMs = 40_000;

/**
 * auth-js hides a refused refresh at the start of a page, so it is noticed here, where the reply passes. A refresh that was only put off would end
 * the session too: auth-js repeats none but those with a status of 502 to 504 (SESSION-5).
 */
const watchedFetch: typeof fetch = async (input, init) => {
  const isRefresh = (input instanceof Request ? input.url : String(input)).includes("grant_type=refresh_token");
  const asked = sessionIdOf(storedSession());
  // auth-js limits no request, and everything else waits for a refresh.
  const response = await fetch(input, isRefresh ? { ...init, signal: AbortSignal.timeout(maxRefreshMs) } : init);
  const body: unknown = await response
    .clone()
    .json()
    .catch(() => undefined);
  if (response.ok) return withoutSessionEnd(response, body);
  if (codeIn(body) === protocolCodes.session_ended) tellLoss(asked);
  if (isRefresh) {
    wasStored = isSessionStored();
    if (response.status === 429 || response.status >= 500) return new Response(null, { status: 503 });
    if (codeIn(body) === protocolCodes.refresh_token_invalid) {
      tellLoss(asked);
      if (renewal === undefined && wasStored) wasRefreshRefused = true;
    }
  }
  return response;
};

/** Returns a reply without the token's end by the server's clock: auth-js then computes it by the browser's, with which it compares. */
function withoutSessionEnd(response: Response, body: unknown): Response {
  if (typeof body !== "object" || body === null || !("access_token" in body)) return response;
  const { status, headers } = response;
  return new Response(JSON.stringify({ ...body, expires_at: undefined }), { status, headers });
}

function codeIn(body: unknown): unknown {
  return typeof body === "object" && body !== null && "code" in body ? body.code : undefined;
}

const url = `${location.origin}/auth/v1`;

/** While auth-js signs out the other tabs: it would end whatever session it finds, also a sign-in of another tab. */
let isSessionHidden = false;

export const auth = new AuthClient({
  url,
  storageKey,
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: false,
  fetch: watchedFetch,
  lock: authLock,
  // A browser may refuse its own; auth-js would then keep the session where signing out does not find it.
  storage: {
    getItem: (key) => (isSessionHidden ? null : localStore.get(key)),
    setItem: localStore.set,
    removeItem: (key) => {
      if (!isSessionHidden) localStore.remove(key);
    },
  },
});

/** Returns whether this browser keeps a session, which may have ended. */
export function isSessionStored(): boolean {
  return localStore.get(storageKey) !== null;
}

interface StoredSession {
  access_token?: string;
  refresh_token?: string;
  user?: { user_metadata?: { full_name?: string } };
}

/** Returns what this browser keeps as a session; null without one, and where it is none: the auth client removes that. */
function storedSession(): StoredSession | null {
  try {
    return JSON.parse(localStore.get(storageKey) ?? "null") as StoredSession | null;
  } catch {
    return null;
  }
}

/** Returns the name of whoever keeps a session in this browser, as it was when the session was stored. */
export function storedName(): string | undefined {
  return storedSession()?.user?.user_metadata?.full_name;
}

/** Called with null where there is no session, and with undefined where the stored one could not be renewed yet. */
type SessionListener = (session: Session | null | undefined) => void;
const listeners = new Set<SessionListener>();

/** Calls the listener with the session now and at every change, in this tab or another. Returns what stops it. */
export function watchSession(listener: SessionListener): () => void {
  listeners.add(listener);
  const { data } = auth.onAuthStateChange((event, session) => {
    hearOfLoss(session);
    if (session === null && wasRefreshRefused) startAnew();
    // auth-js keeps such a session, and tries it again every 30 seconds while the page is visible (SESSION-5).
    else if (event === "INITIAL_SESSION" && session === null && isSessionStored()) listener(undefined);
    else listener(session);
  });
  return () => {
    listeners.delete(listener);
    data.subscription.unsubscribe();
  };
}

/** Returns whether a session has yet to pass its account's second factor, as its token and its account say. */
export function needsSecondFactor({ access_token, user }: Session): boolean {
  const hasFactor = user.factors?.some(({ status }) => status === "verified") ?? false;
  return hasFactor && claimsOf(access_token).aal === "aal1";
}

/** Undefined for a malformed token. */
function sessionIdOf(session: StoredSession | null): string | undefined {
  const { session_id } = claimsOf(session?.access_token ?? "");
  return typeof session_id === "string" ? session_id : undefined;
}

/** A token's payload; empty for a malformed token, which the server refuses. */
function claimsOf(token: string): { aal?: unknown; session_id?: unknown } {
  const payload = token.split(".")[1] ?? "";
  try {
    const claims: unknown = JSON.parse(atob(payload.replaceAll("-", "+").replaceAll("_", "/")));
    return typeof claims === "object" && claims !== null ? claims : {};
  } catch {
    return {};
  }
}

/** After a refused refresh: stored entries removed, signed out, page reloaded unless that would lose a form (SESSION-5). */
function startAnew(): void {
  wasRefreshRefused = false;
  void loseSession().then(() => {
    if (!isStateKept()) location.reload();
  });
}

/** Returns the access token, refreshed when it is about to end; undefined without a session. Throws `offline` if that failed. */
export async function accessToken(): Promise<string | undefined> {
  if (import.meta.env.MODE === "demo") return undefined;
  const { data, error } = await auth.getSession();
  // Asking without a token would look like a session that has ended, and end it.
  if (isAuthRetryableFetchError(error)) throw new ProductError("offline");
  if (error) logError(error);
  return data.session?.access_token;
}

/** While a session is being signed out; nothing else is then stored. */
let signingOut: Promise<void> | undefined;

/** Removes the session from this browser at once, ends it on the server if that can be reached, and then signs out the pages. */
export function endSession(): Promise<void> {
  const session = storedSession();
  removeStored();
  signingOut ??= signOut(session).finally(() => (signingOut = undefined));
  return signingOut;
}

async function signOut(session: StoredSession | null): Promise<void> {
  const { access_token, refresh_token } = session ?? {};
  try {
    if (access_token && refresh_token) await endOnServer(access_token, refresh_token).catch(logError);
    // Waits for a refresh under way, which stores what it got.
    await auth.getSession();
    if (!isReplaced(session)) {
      removeStored();
      isSessionHidden = true;
      // Tells the other tabs; without a session it sends no request, which auth-js would not limit.
      const { error } = await auth.signOut({ scope: "local" });
      if (error) logError(error);
    }
  } catch (error) {
    logError(error);
  } finally {
    isSessionHidden = false;
  }
  // Another tab may have signed in while this one waited.
  if (isReplaced(session)) return announceStored().catch(logError);
  removeStored();
  for (const listener of listeners) listener(null);
}

/** Returns whether a sign-in in another tab has stored its session since one was taken out of this browser. */
function isReplaced(session: StoredSession | null): boolean {
  const stored = storedSession();
  return stored?.access_token !== undefined && sessionIdOf(stored) !== sessionIdOf(session);
}

/** Shows the pages of this tab the session that is stored now. */
async function announceStored(): Promise<void> {
  const { data } = await auth.getSession();
  for (const listener of listeners) listener(data.session);
}

function removeStored(): void {
  for (const key of localStore.keys()) if (key.startsWith(storagePrefix)) localStore.remove(key);
}

/** Ends a session that is no longer stored; the browser finishes the request when the page is closed. */
async function endOnServer(token: string, refresh_token: string): Promise<void> {
  const headers = { authorization: `Bearer ${token}` };
  // Longer than a reply takes on a bad line; a sign-in waits for it.
  const signal = AbortSignal.timeout(10_000);
  const { status } = await fetch(`${url}/logout?scope=local`, { method: "POST", headers, keepalive: true, signal });
  if (status !== 401) return;
  const inTime: typeof fetch = (input, init) => fetch(input, { ...init, signal });
  // The access token has ended: another is needed, and kept in memory.
  const renewed = new AuthClient({
    url,
    persistSession: false,
    autoRefreshToken: false,
    detectSessionInUrl: false,
    fetch: inTime,
  });
  await renewed.refreshSession({ refresh_token });
  await renewed.signOut({ scope: "local" });
}

/** In the window's own storage, since it must outlive the reload of `startAnew`. */
const lossMark = "session-lost";
/** The session that was lost last, for the other tabs, which are only told that they are signed out. */
const lostSession = "lost-session";
/** The session that this tab saw last: announced to it, or stored when it was opened. */
let seenSession = sessionIdOf(storedSession());

/** Before auth-js removes the session and tells the other tabs. If it is no longer stored, its person signed out meanwhile. */
function tellLoss(lost: string | undefined): void {
  if (lost !== undefined && lost === sessionIdOf(storedSession())) localStore.set(lostSession, lost);
}

function hearOfLoss(session: Session | null): void {
  const lost = localStore.get(lostSession);
  if (session) {
    seenSession = sessionIdOf(session);
    if (lost !== seenSession) localStore.remove(lostSession);
  } else if (seenSession !== undefined && lost === seenSession) {
    sessionStore.set(lossMark, "yes");
    // Said once: the page of the next sign-in hears of no session again.
    seenSession = undefined;
  }
}

/** Ends a session that the server no longer accepts, and remembers it for the sign-in page (JOURNEY-3). */
export function loseSession(): Promise<void> {
  if (signingOut) return signingOut;
  sessionStore.set(lossMark, "yes");
  return endSession();
}

let renewal: Promise<boolean> | undefined;

/**
 * Renews a session whose access token the server refused, as it does before the token's end where a clock was set. Ends the session where that is
 * refused too. Returns whether the session goes on with another token; calls at the same time share one renewal.
 */
export function renewOrLoseSession(): Promise<boolean> {
  renewal ??= renewSession().finally(() => (renewal = undefined));
  return renewal;
}

async function renewSession(): Promise<boolean> {
  wasStored = isSessionStored();
  const { error } = await auth.refreshSession();
  if (error === null) return true;
  logError(error);
  if (!isAuthRetryableFetchError(error)) await (wasStored ? loseSession() : endSession());
  return false;
}

/** Returns whether the last session of this window ended without its person asking for it. */
export function wasSessionLost(): boolean {
  return sessionStore.get(lossMark) !== null;
}

export function forgetSessionLoss(): void {
  sessionStore.remove(lossMark);
}

/** Returns the data of a call of the auth client, repeated after a step-up and once with a renewed session. Throws an error of the catalogue, logged. */
export function dataOf<Reply extends { data: unknown; error: Error | null }>(
  call: () => Promise<Reply>,
): Promise<Extract<Reply, { error: null }>["data"]> {
  return repeatAfterStepUp(async () => {
    // It would end a session that begins meanwhile.
    await signingOut;
    const first = await call();
    const isTokenRefused = isAuthError(first.error) && first.error.code === "bad_jwt";
    const { data, error } = isTokenRefused && (await renewOrLoseSession()) ? await call() : first;
    if (error === null) return data;
    logError(error);
    if (isAuthSessionMissingError(error)) void (isSessionStored() ? loseSession() : endSession());
    throw errorOfAuth(error);
  });
}

function errorOfAuth(error: Error): ProductError {
  if (isAuthRetryableFetchError(error)) return new ProductError("auth_unreachable");
  if (!isAuthError(error)) return productErrorOf(error);
  // A body that is not an error of the auth service becomes the text "{}".
  return errorOfReply(errorCodeOf(error.code), error.message === "{}" ? "" : error.message);
}

/** Returns the catalogue's code for one of the protocol, unless several share it. */
function errorCodeOf(protocolCode: string | undefined): string | undefined {
  const codes = Object.entries(protocolCodes).filter(([, code]) => code === protocolCode);
  return codes.length === 1 ? codes[0]?.[0] : codes.length === 0 ? protocolCode : undefined;
}
