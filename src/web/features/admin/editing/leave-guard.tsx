import { createContext, use, useCallback, useEffect, useEffectEvent, useMemo, useState, type ReactNode } from "react";
import { useBlocker, type Location } from "react-router";
import { isLogout } from "../../../entities/session/session.tsx";
import { ConfirmDialog } from "../../../ui/dialog.tsx";

/** Input that is not saved, or a file that is being sent. */
interface Unsaved {
  /** The tab of the admin's page that has it. */
  tab: string;
  /** Says in the question what would be lost. */
  text: string;
  /** Resets a form that other tabs do not keep; without it only leaving the admin's page loses the input. */
  onDiscard?: (() => void) | undefined;
}

interface Guard {
  /** Returns what takes the input off again. */
  add: (unsaved: Unsaved) => () => void;
  ask: (tab: string, goOn: () => void) => void;
}

const GuardContext = createContext<Guard>({ add: () => () => {}, ask: (_tab, goOn) => goOn() });

/** Asks before unsaved input of the admin's page is lost (ADMIN-5). The only one of its page: a router has one blocker. */
export function LeaveGuard({ children }: { children: ReactNode }): ReactNode {
  const [inputs, setInputs] = useState<readonly Unsaved[]>([]);
  // What was asked for while something in a tab is unsaved.
  const [waiting, setWaiting] = useState<{ tab: string; goOn: () => void }>();
  const blocker = useBlocker(
    ({ nextLocation }) => !isLogout(nextLocation) && inputs.some((input) => isLostAt(nextLocation, input)),
  );
  const isAsking = waiting !== undefined || blocker.state === "blocked";
  const lost = inputs.filter((input) =>
    blocker.state === "blocked" ? isLostAt(blocker.location, input) : input.tab === waiting?.tab,
  );
  const goOn = (): void => {
    setWaiting(undefined);
    waiting?.goOn();
    blocker.proceed?.();
  };

  // It may be saved while the question is open.
  const isPointless = isAsking && lost.length === 0;
  const goOnUnasked = useEffectEvent(goOn);
  useEffect(() => {
    // oxlint-disable-next-line react/set-state-in-effect -- does what the button does, once nothing is left to lose
    if (isPointless) goOnUnasked();
  }, [isPointless]);

  const add = useCallback((unsaved: Unsaved) => {
    setInputs((before) => [...before, unsaved]);
    return () => setInputs((before) => before.filter((input) => input !== unsaved));
  }, []);
  const guard = useMemo<Guard>(
    () => ({
      add,
      ask: (tab, then) => {
        // A form that closes once it is saved does not take the place of what was asked for before.
        if (inputs.some((input) => input.tab === tab)) setWaiting((before) => before ?? { tab, goOn: then });
        else then();
      },
    }),
    [add, inputs],
  );
  return (
    <GuardContext value={guard}>
      {children}
      <ConfirmDialog
        open={lost.length > 0 && isAsking}
        title="Leave without saving?"
        confirmLabel="Discard changes"
        isDangerous
        onConfirm={() => {
          for (const { onDiscard } of lost) onDiscard?.();
          goOn();
        }}
        onCancel={() => {
          setWaiting(undefined);
          blocker.reset?.();
        }}
      >
        {lost.map(({ text }) => (
          <p key={text}>{text}</p>
        ))}
      </ConfirmDialog>
    </GuardContext>
  );
}

function isLostAt({ pathname, search }: Location, { tab, onDiscard }: Unsaved): boolean {
  return pathname !== "/admin" || (onDiscard !== undefined && new URLSearchParams(search).get("tab") !== tab);
}

/** Has the admin asked before input is lost while `isUnsaved`, by the browser where the page is closed. */
export function useUnsaved(isUnsaved: boolean, { tab, text, onDiscard }: Unsaved): void {
  const { add } = use(GuardContext);
  const discard = useEffectEvent(() => onDiscard?.());
  const isKept = onDiscard === undefined;
  useEffect(() => {
    if (!isUnsaved) return;
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    const remove = add({ tab, text, onDiscard: isKept ? undefined : () => discard() });
    return () => {
      removeEventListener("beforeunload", warn);
      remove();
    };
  }, [isUnsaved, add, tab, text, isKept]);
}

/** Returns what does something that would lose the unsaved input of a tab: at once where there is none, otherwise after the question. */
export function useAskFirst(tab: string): (goOn: () => void) => void {
  const { ask } = use(GuardContext);
  return (goOn) => ask(tab, goOn);
}
