import { navigatorLock } from "@supabase/auth-js";

/**
 * The lock of auth-js, which only secure contexts have. A tab that waits five seconds for it takes it from its holder, whose call is rejected
 * and runs on. Its result counts here: auth-js never repeats a failed start, and the tab would stay without its session (SESSION-5).
 */
export async function authLock<Result>(name: string, acquireTimeout: number, call: () => Promise<Result>): Promise<Result> {
  if (!navigator.locks) return call();
  let running: Promise<Result> | undefined;
  try {
    return await navigatorLock(name, acquireTimeout, () => (running = call()));
  } catch (error) {
    if (running) return running;
    // A browser that refuses storage refuses locks too; nothing is shared with other tabs then.
    if (error instanceof DOMException && error.name === "SecurityError") return call();
    throw error;
  }
}
