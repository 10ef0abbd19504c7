import { useKeptState } from "../../../../platform/kept-state.ts";

/** What was typed into a dialog that was left, kept by name until it is sent; `blank` while nothing was (ADMIN-5). */
export function useDraft<Values extends Record<string, string>>(
  name: string,
  blank: Values,
): [Values, (typed: Values) => void] {
  const [draft, setDraft] = useKeptState<Values | undefined>(name, undefined);
  const keep = (typed: Values): void => setDraft(Object.values(typed).some((text) => text !== "") ? typed : undefined);
  return [draft ?? blank, keep];
}
