import { logError } from "../errors.ts";

/**
 * A storage of the browser whose use never throws: one that blocks all cookies refuses it, and it may be full. What is refused is kept as long as
 * the page.
 */
function guarded(area: () => Storage) {
  const refused = new Map<string, string>();
  const attempt = <Result>(call: (storage: Storage) => Result, otherwise: Result): Result => {
    try {
      return call(area());
    } catch {
      return otherwise;
    }
  };
  return {
    get: (key: string): string | null => refused.get(key) ?? attempt((storage) => storage.getItem(key), null),
    set: (key: string, value: string): void => {
      try {
        area().setItem(key, value);
        refused.delete(key);
      } catch (error) {
        logError(error);
        refused.set(key, value);
      }
    },
    remove: (key: string): void => {
      refused.delete(key);
      attempt((storage) => storage.removeItem(key), undefined);
    },
    keys: (): string[] => [...new Set([...attempt((storage) => Object.keys(storage), []), ...refused.keys()])],
  };
}

/** What every page of this browser shares. */
export const localStore = guarded(() => localStorage);
/** What this window keeps through a reload. */
export const sessionStore = guarded(() => sessionStorage);
