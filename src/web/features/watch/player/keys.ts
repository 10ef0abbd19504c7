import { latinKey } from "../../../platform/keyboard/latin-key.ts";
import { rates } from "./preferences.ts";

/** What a key asks of the player; amounts in seconds, shares from 0 to 1. */
export type Command =
  | { do: "toggle" | "mute" | "fullScreen" | "captions" | "help" }
  | { do: "skip"; seconds: number }
  | { do: "jump"; share: number }
  | { do: "louder"; by: number }
  | { do: "rate"; step: 1 | -1 };

const commands: Record<string, Command> = {
  " ": { do: "toggle" },
  k: { do: "toggle" },
  ArrowLeft: { do: "skip", seconds: -5 },
  ArrowRight: { do: "skip", seconds: 5 },
  j: { do: "skip", seconds: -10 },
  l: { do: "skip", seconds: 10 },
  ArrowUp: { do: "louder", by: 0.05 },
  ArrowDown: { do: "louder", by: -0.05 },
  m: { do: "mute" },
  f: { do: "fullScreen" },
  c: { do: "captions" },
  "<": { do: "rate", step: -1 },
  ">": { do: "rate", step: 1 },
  "?": { do: "help" },
};

/** Keys that scroll a page, which is what they do outside the player. */
const scrolling = new Set(["ArrowUp", "ArrowDown"]);

/** What has keys of its own where it has the focus; a heading, which gets it from the page, has none. */
const takesKeys =
  "a, button, input, select, textarea, summary, [contenteditable], [tabindex]:not([tabindex='-1']), [role=menu], [role$=dialog]";

/** Toasts are dialogs too, but stop nobody. */
const openDialog = "dialog[open], [role$=dialog]:not([aria-modal=false])";

/** Where a key was pressed. */
export interface KeyPress {
  key: string;
  code: string;
  shiftKey: boolean;
  ctrlKey: boolean;
  metaKey: boolean;
  altKey: boolean;
  target: EventTarget | null;
}

/**
 * Returns what a key asks of the player inside `stage`; undefined for a key that belongs to the browser, to another part of the page, to an open
 * dialog, to a field, or to the button it presses. In full screen only `stage` is visible, so that a focus outside of it does not matter.
 */
export function commandOf(press: KeyPress, stage: Element): Command | undefined {
  const { key, ctrlKey, metaKey, altKey, target } = press;
  if (ctrlKey || metaKey || altKey || !(target instanceof Element)) return undefined;
  if (document.querySelector(openDialog)) return undefined;
  const isHidden = document.fullscreenElement === stage && !stage.contains(target);
  if (!isHidden && isOfTarget(key, target, stage)) return undefined;
  return ofKey(key) ?? ofKey(latinKey(press));
}

function ofKey(key: string): Command | undefined {
  if (/^\d$/.test(key)) return { do: "jump", share: Number(key) / 10 };
  // With shift or caps lock, letters mean the same.
  return commands[key] ?? commands[key.toLowerCase()];
}

/** Returns whether a key belongs to what has the focus. */
function isOfTarget(key: string, target: Element, stage: Element): boolean {
  if (!stage.contains(target) && (target.closest(takesKeys) || scrolling.has(key))) return true;
  if (target.matches("select, textarea, input:not([type='range'])")) return true;
  if (key === " " && target.matches("button, a")) return true;
  return key.startsWith("Arrow") && target.matches("[data-own-arrows]");
}

/** Returns the next faster or slower speed of those on offer; the same at either end. */
export function nextRate(rate: number, step: 1 | -1): (typeof rates)[number] {
  const faster = rates.find((each) => each > rate) ?? 2;
  const slower = rates.findLast((each) => each < rate) ?? 0.5;
  return step === 1 ? faster : slower;
}
