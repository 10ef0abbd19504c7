import { useEffect, useEffectEvent, useSyncExternalStore } from "react";
import { localStore } from "../browsers/storage.ts";
import { latinKey } from "./latin-key.ts";

const storageKey = "shortcuts";
const listeners = new Set<() => void>();

const areOn = (): boolean => localStore.get(storageKey) !== "off";

/** Returns whether shortcuts of a single key are on, which this browser remembers, and what switches them (WCAG 2.1.4). */
export function useShortcutsSetting(): [boolean, (isOn: boolean) => void] {
  const isOn = useSyncExternalStore(watch, areOn, () => true);
  return [isOn, switchShortcuts];
}

function switchShortcuts(isOn: boolean): void {
  if (isOn) localStore.remove(storageKey);
  else localStore.set(storageKey, "off");
  for (const listener of listeners) listener();
}

function watch(onChange: () => void): () => void {
  listeners.add(onChange);
  return () => listeners.delete(onChange);
}

/**
 * Runs the action of a key that is pressed anywhere on the page, by the character that it types, else by that of its place on a Latin layout.
 * Not while one types in a field, with a modifier that types nothing, for a key that is held down, from a dialog or a menu, or while
 * shortcuts are off. An action that returns false leaves the key to others.
 */
export function useShortcuts(actions: Readonly<Record<string, (() => unknown) | undefined>>): void {
  const press = useEffectEvent((event: KeyboardEvent) => {
    const key = [event.key, latinKey(event)].find((each) => Object.hasOwn(actions, each));
    const run = key === undefined ? undefined : actions[key];
    if (!run || !areOn() || !isPlain(event)) return;
    if (run() !== false) event.preventDefault();
  });
  useEffect(() => {
    const listen = (event: KeyboardEvent): void => press(event);
    document.addEventListener("keydown", listen);
    return () => document.removeEventListener("keydown", listen);
  }, []);
}

const fields = "input:not([type=checkbox], [type=radio]), textarea, select, [contenteditable]";

function isPlain({ ctrlKey, metaKey, altKey, repeat, isComposing, defaultPrevented, target }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey || repeat || isComposing || defaultPrevented) return false;
  return target instanceof Element && !target.matches(fields) && target.closest("[role$=dialog], [role=menu]") === null;
}
