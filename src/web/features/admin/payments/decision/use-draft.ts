import { forgetKept, useKeptState } from "../../../../platform/kept-state.ts";

/** What was typed into a dialog that was left, kept by name until it is sent; `blank` while nothing was (ADMIN-5). */
export function useDraft<Values extends Record<string, string>>(
  name: string,
  blank: Values,
): [Values, (typed: Values) => void] {
  const [draft, setDraft] = useKeptState<Values | undefined>(name, undefined);
  const keep = (typed: Values): void => {
    const isTyped = Object.values(typed).some((text) => text !== "");
    setDraft(isTyped ? typed : undefined);
    // The dialog may be gone before its state is kept.
    if (!isTyped) forgetKept(name);
  };
  return [draft ?? blank, keep];
}
