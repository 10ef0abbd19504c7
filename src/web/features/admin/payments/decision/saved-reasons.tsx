import { useMutation } from "@tanstack/react-query";
import { useRef, useState, type KeyboardEvent, type ReactNode, type SyntheticEvent } from "react";
import { api } from "../../../../platform/api.ts";
import { latinKey } from "../../../../platform/keyboard/latin-key.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { ActionError } from "../../../../ui/action-error.tsx";
import { Button } from "../../../../ui/button.tsx";
import { TextArea } from "../../../../ui/field.tsx";
import { KeyHint } from "../../../../ui/key-hint.tsx";
import { reasonsOptions, useReasons } from "./reasons.ts";

/** Offers the saved reasons, by a click or the key of their number while the focus is among them, and edits them in place (DECIDE-8). */
export function SavedReasons({ onChoose }: { onChoose: (reason: string) => void }): ReactNode {
  const reasons = useReasons().data;
  const [isEditing, setEditing] = useState(false);
  const edit = useRef<HTMLButtonElement>(null);
  if (reasons === undefined) return null;
  const close = (): void => {
    setEditing(false);
    edit.current?.focus();
  };
  const choose = (reason: string, { currentTarget }: SyntheticEvent): void => {
    onChoose(reason);
    currentTarget.closest("form")?.querySelector<HTMLElement>("button[type=submit]")?.focus();
  };
  const chooseByNumber = (event: KeyboardEvent): void => {
    const key = latinKey(event);
    const reason = /^[1-9]$/.test(key) ? reasons[Number(key) - 1] : undefined;
    if (isEditing || reason === undefined || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    choose(reason, event);
  };
  return (
    <fieldset className="grid gap-2" onKeyDown={chooseByNumber}>
      <legend className="mb-1.5 text-small font-medium">Saved reasons</legend>
      <ul className="grid gap-1">
        {reasons.map((reason, index) => (
          <li key={reason}>
            <Button
              variant="secondary"
              size="small"
              className="w-full justify-start py-1.5 text-left"
              onClick={(event) => choose(reason, event)}
            >
              {index < 9 && <KeyHint>{String(index + 1)}</KeyHint>}
              <span className="wrap-anywhere">{reason}</span>
            </Button>
          </li>
        ))}
      </ul>
      <Button
        ref={edit}
        variant="link"
        size="small"
        className="-ml-3 justify-self-start"
        aria-expanded={isEditing}
        onClick={() => setEditing(!isEditing)}
      >
        Edit saved reasons
      </Button>
      {isEditing && <ReasonsEditor reasons={reasons} onClose={close} />}
    </fieldset>
  );
}

function ReasonsEditor({ reasons, onClose }: { reasons: readonly string[]; onClose: () => void }): ReactNode {
  const [before, setBefore] = useState(reasons);
  const [text, setText] = useState(() => before.join("\n"));
  const [sent, setSent] = useState(reasons);
  // Of a save whose reply was lost, what has arrived is no other window's.
  const known = [
    ...before.filter((line) => sent.includes(line) || reasons.includes(line)),
    ...sent.filter((line) => reasons.includes(line)),
  ];
  const save = useMutation({
    mutationFn: ({ list }: { list: string[]; over: readonly string[] }) => api.rejectionReasons.put({ reasons: list }),
    onError: (_error, { list, over }) => {
      // What came from other windows is in the field too, so that lines can be removed where they are too many.
      setText(list.join("\n"));
      setBefore(over);
      setSent(list);
    },
    onSuccess: (saved) => {
      queryClient.setQueryData(reasonsOptions.queryKey, saved.reasons);
      onClose();
    },
  });
  const submit = (): void => save.mutate({ list: merged(linesOf(text), known, reasons), over: reasons });
  return (
    <div className="grid gap-2">
      <TextArea
        label="One reason a line"
        rows={6}
        value={text}
        disabled={save.isPending}
        onChange={({ target }) => setText(target.value)}
      />
      <ActionError error={save.error} />
      <div className="flex gap-2">
        <Button variant="secondary" size="small" isBusy={save.isPending} onClick={submit}>
          Save reasons
        </Button>
        <Button variant="quiet" size="small" disabled={save.isPending} onClick={onClose}>
          Leave them
        </Button>
      </div>
    </div>
  );
}

/** Each once, in their order. */
const linesOf = (text: string): string[] => [
  ...new Set(
    text
      .split("\n")
      .map((line) => line.trim())
      .filter((line) => line !== ""),
  ),
];

/** Returns the edited lines with what was added and removed elsewhere since the editor was opened. */
function merged(edited: readonly string[], before: readonly string[], now: readonly string[]): string[] {
  const kept = edited.filter((line) => now.includes(line) || !before.includes(line));
  const added = now.filter((line) => !before.includes(line) && !edited.includes(line));
  return [...kept, ...added];
}
