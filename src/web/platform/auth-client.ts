import { AuthClient, isAuthError, isAuthRetryableFetchError, type Session } from "@supabase/auth-js";
import { errors, ProductError } from "#domain/messages";
import { logError } from "./errors.ts";

/** Supabase's own prefix (specification, section 4); every stored entry of the auth client starts with it. */
const storagePrefix = "sb-";

let wasRefreshRefused = false;

/** auth-js swallows a refused refresh at the start, so it is noticed here, where the answer passes. */
const watchedFetch: typeof fetch = async (input, init) => {
  const response = await fetch(input, init);
  const url = input instanceof Request ? input.url : String(input);
  if (!response.ok && url.includes("grant_type=refresh_token")) {
    const body = await response.clone().text();
    if (/Invalid Refresh Token|refresh_token_not_found/.test(body)) wasRefreshRefused = true;
  }
  return response;
};

export const auth = new AuthClient({
  url: `${location.origin}/auth/v1`,
  storageKey: `${storagePrefix}pipwright-auth-token`,
  autoRefreshToken: true,
  persistSession: true,
  detectSessionInUrl: false,
  fetch: watchedFetch,
});

type SessionListener = (session: Session | null) => void;
const listeners = new Set<SessionListener>();

/** Tells of the session now and at every change, in this tab or another, until the returned function is called. */
export function watchSession(listener: SessionListener): () => void {
  listeners.add(listener);
  const { data } = auth.onAuthStateChange((_event, session) => {
    if (session === null && wasRefreshRefused) startAnew();
    else listener(session);
  });
  return () => {
    listeners.delete(listener);
    data.subscription.unsubscribe();
  };
}

/** After a refused refresh: stored entries removed, signed out, page reloaded (specification, section 4). */
function startAnew(): void {
  wasRefreshRefused = false;
  void endSession().then(() => location.reload());
}

/** The current access token, refreshed when it is about to end; undefined without a session. Throws `offline` if that failed. */
export async function accessToken(): Promise<string | undefined> {
  if (import.meta.env.MODE === "demo") return undefined;
  const { data, error } = await auth.getSession();
  // Asking without a token would look like a session that has ended, and end it.
  if (isAuthRetryableFetchError(error)) throw new ProductError("offline");
  if (error) logError(error);
  return data.session?.access_token;
}

/** Signs out here, on the server if it can be reached, and leaves nothing stored. */
export async function endSession(): Promise<void> {
  try {
    const { error } = await auth.signOut({ scope: "local" });
    if (error) logError(error);
  } catch (error) {
    logError(error);
  }
  // Without a reachable server auth-js keeps its session, so the entries are removed and the change told here.
  for (const key of Object.keys(localStorage)) if (key.startsWith(storagePrefix)) localStorage.removeItem(key);
  for (const listener of listeners) listener(null);
}

/** What a person reads of an error of the auth service (specification, section 8). */
export function authMessageOf(thrown: unknown): string {
  logError(thrown);
  if (isAuthRetryableFetchError(thrown) || thrown instanceof TypeError) return errors.auth_unreachable.text;
  if (isAuthError(thrown) && thrown.message !== "" && thrown.message !== "{}") return thrown.message;
  return errors.unexpected.text;
}
