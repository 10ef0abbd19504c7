import { useEffect, useState, type Dispatch, type SetStateAction } from "react";
import * as z from "zod/mini";
import { sessionStore } from "./browsers/storage.ts";

/** Values by name, of one account. In memory, since a chosen file has no place in a browser's storage. */
const kept = new Map<string, unknown>();
let owner: string | undefined;

/** Those of them that outlive a reload, as phones discard a tab while its person pays in another app: in the tab's own storage. */
let stored: Record<string, unknown> = {};
const storageKey = "kept-state";
const Stored = z.object({ owner: z.string(), values: z.record(z.string(), z.unknown()) });

/**
 * State that outlives its component, so that a form is as it was when its person has signed in again (JOURNEY-3). `name` is its place,
 * the same for as long as its component lives; two components never share one. With a schema it outlives a reload too; what another version of the page stored and does not fit is dropped.
 */
export function useKeptState<Value>(
  name: string,
  initial: Value,
  schema?: z.core.$ZodType<Value>,
): [Value, Dispatch<SetStateAction<Value>>] {
  const [empty] = useState(initial);
  const [value, setValue] = useState<Value>(() => {
    if (kept.has(name)) return kept.get(name) as Value;
    const before = schema && z.safeParse(schema, stored[name]);
    return before?.success ? before.data : initial;
  });
  const isStored = schema !== undefined;
  useEffect(() => {
    if (value === empty) kept.delete(name);
    else kept.set(name, value);
    if (isStored) store({ ...stored, [name]: value === empty ? undefined : value });
  }, [name, value, empty, isStored]);
  return [value, setValue];
}

/** Forgets what has a name at once, whatever becomes of its component. */
export function forgetKept(name: string): void {
  kept.delete(name);
}

/** Forgets everything whose name begins with a text, as that of one form. */
export function forgetKeptOf(start: string): void {
  for (const name of kept.keys()) if (name.startsWith(start)) kept.delete(name);
  store(Object.fromEntries(Object.entries(stored).filter(([name]) => !name.startsWith(start))));
}

/** Forgets everything, after a submit or a sign-out. */
export function forgetKeptState(): void {
  kept.clear();
  store({});
}

/** Forgets what belongs to another account than the one that is signed in now. */
export function keepStateFor(accountId: string): void {
  if (owner === accountId) return;
  kept.clear();
  owner = accountId;
  store(storedOf(accountId));
}

/** Returns whether a form is kept, of which a reload would lose the chosen file. */
export function isStateKept(): boolean {
  return kept.size > 0;
}

function store(values: Record<string, unknown>): void {
  stored = values;
  const isEmpty = owner === undefined || Object.values(values).every((value) => value === undefined);
  // First, so that a reload restores nothing older where the browser then refuses to store.
  sessionStore.remove(storageKey);
  if (!isEmpty) sessionStore.set(storageKey, JSON.stringify({ owner, values }));
}

/** Returns what this tab stored for an account; nothing where it stored none or another account's. */
function storedOf(accountId: string): Record<string, unknown> {
  try {
    const { owner: storedFor, values } = z.parse(Stored, JSON.parse(sessionStore.get(storageKey) ?? ""));
    return storedFor === accountId ? values : {};
  } catch {
    return {};
  }
}
