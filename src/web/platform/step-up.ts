import { useSyncExternalStore } from "react";
import { productErrorOf } from "./errors.ts";

interface Question {
  answer: Promise<boolean>;
  settle: (isProven: boolean) => void;
  fail: (error: Error) => void;
}

/** The open step-up dialog (STEPUP-1). All calls that need a step-up share it. */
let question: Question | undefined;
const listeners = new Set<() => void>();

/**
 * Runs a call; when the server wants a step-up first, the person is asked and the call runs again. Throws the call's own error, which is
 * `step_up_needed` when the person declines, or why the person cannot be asked.
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
  // This page has no dialog.
  if (listeners.size === 0) return Promise.resolve(false);
  if (question === undefined) {
    let settle: Question["settle"] = () => {};
    let fail: Question["fail"] = () => {};
    const answer = new Promise<boolean>((resolve, reject) => {
      settle = resolve;
      fail = reject;
    });
    setQuestion({ answer, settle, fail });
  }
  return question?.answer ?? Promise.resolve(false);
}

/** Closes the dialog; the waiting calls run again or fail. */
export function settleStepUp(isProven: boolean): void {
  question?.settle(isProven);
  setQuestion(undefined);
}

/** Fails the waiting calls with the error that kept the dialog from being displayed. */
export function failStepUp(error: Error): void {
  question?.fail(error);
  setQuestion(undefined);
}

/** Returns whether to display the dialog. */
export function useIsStepUpAsked(): boolean {
  return useSyncExternalStore(
    subscribe,
    () => question !== undefined,
    () => false,
  );
}

function setQuestion(next: Question | undefined): void {
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
