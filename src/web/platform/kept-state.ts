import { useEffect, useState, type Dispatch, type SetStateAction } from "react";

/** Values by name, of one account: in memory only, since a chosen file has no place in a browser's storage. */
const kept = new Map<string, unknown>();
let owner: string | undefined;

/**
 * State that outlives its component, so that a form is as it was when its person has signed in again (JOURNEY-3). `name` is its place;
 * two components never share one.
 */
export function useKeptState<Value>(name: string, initial: Value): [Value, Dispatch<SetStateAction<Value>>] {
  const [empty] = useState(initial);
  const [value, setValue] = useState<Value>(() => (kept.has(name) ? (kept.get(name) as Value) : initial));
  useEffect(() => {
    if (value === empty) kept.delete(name);
    else kept.set(name, value);
  }, [name, value, empty]);
  return [value, setValue];
}

/** Forgets everything, after a submit or a sign-out. */
export function forgetKeptState(): void {
  kept.clear();
}

/** Forgets what belongs to another account than the one that is signed in now. */
export function keepStateFor(accountId: string): void {
  if (owner !== accountId) forgetKeptState();
  owner = accountId;
}

/** Returns whether a reload would lose something. */
export function isStateKept(): boolean {
  return kept.size > 0;
}
