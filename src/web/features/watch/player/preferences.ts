import { useState } from "react";
import * as z from "zod/mini";
import { localStore } from "../../../platform/browsers/storage.ts";

/** The speeds that the player offers. */
export const rates = [0.5, 0.75, 1, 1.25, 1.5, 1.75, 2] as const;

/** How the person at this browser watches films. */
const Preferences = z.object({
  rate: z.literal(rates),
  volume: z.number().check(z.gte(0), z.lte(1)),
  muted: z.boolean(),
  /** The language of the captions; null for none. */
  captions: z.nullable(z.string().check(z.maxLength(35))),
  /** The language they had when they were switched off. */
  lastCaptions: z._default(z.nullable(z.string().check(z.maxLength(35))), null),
  /** Whether single keys are shortcuts (WCAG 2.2, 2.1.4). */
  keys: z.boolean(),
});
export type Preferences = z.infer<typeof Preferences>;

const initial: Preferences = { rate: 1, volume: 1, muted: false, captions: null, lastCaptions: null, keys: true };
const place = "player";

/** Returns what is stored; the initial ones where it was stored by another version, or by hand. */
export function readPreferences(): Preferences {
  try {
    return Preferences.parse(JSON.parse(localStore.get(place) ?? "null"));
  } catch {
    return initial;
  }
}

/** Returns the preferences and what changes some of them; kept for the next film. */
export function usePreferences(): [Preferences, (changes: Partial<Preferences>) => void] {
  const [preferences, setPreferences] = useState(readPreferences);
  const change = (changes: Partial<Preferences>): void => {
    const before = readPreferences();
    const next = { ...before, lastCaptions: before.captions ?? before.lastCaptions, ...changes };
    localStore.set(place, JSON.stringify(next));
    setPreferences(next);
  };
  return [preferences, change];
}
