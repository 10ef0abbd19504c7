import { useSyncExternalStore } from "react";
import { productErrorOf } from "./errors.ts";

/** The question to the person whether it is they (STEPUP-1), while it is on the screen. All calls that need it wait for one. */
let question: { answer: Promise<boolean>; settle: (isProven: boolean) => void } | undefined;
const listeners = new Set<() => void>();

/**
 * Runs a call; when the server wants a step-up first, the person is asked and the call runs again. Throws the call's own error, which is
 * `step_up_needed` when the person declines.
 */
export async function repeatAfterStepUp<Result>(call: () => Promise<Result>): Promise<Result> {
  try {
    return await call();
  } catch (thrown) {
    if (productErrorOf(thrown).code !== "step_up_needed" || !(await ask())) throw thrown;
    return call();
  }
}

function ask(): Promise<boolean> {
  // Nobody to ask: the dialog is not on this page.
  if (listeners.size === 0) return Promise.resolve(false);
  if (question === undefined) {
    let settle: (isProven: boolean) => void = () => {};
    const answer = new Promise<boolean>((resolve) => (settle = resolve));
    setQuestion({ answer, settle });
  }
  return question?.answer ?? Promise.resolve(false);
}

/** Takes the question from the screen; the calls that wait for it run again, or fail. */
export function settleStepUp(isProven: boolean): void {
  question?.settle(isProven);
  setQuestion(undefined);
}

/** Returns whether the question is to be on the screen. */
export function useIsStepUpAsked(): boolean {
  return useSyncExternalStore(subscribe, () => question !== undefined);
}

function setQuestion(next: typeof question): void {
  question = next;
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => {
    listeners.delete(listener);
    if (listeners.size === 0) settleStepUp(false);
  };
}
