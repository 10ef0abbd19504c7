import { useState } from "react";
import { useAskFirst } from "./leave-guard.tsx";

interface EditedRow<Row> {
  /** `"new"` while a row is made, undefined while the form is closed. */
  edited: Row | "new" | undefined;
  /** React's key of the form. */
  key: string;
  /** Opens the form; asks before it replaces another row's unsaved input (ADMIN-5). */
  edit: (row: Row | "new") => void;
  close: () => void;
  /** Closes the form of a row that is gone. */
  forget: (ids: readonly string[]) => void;
}

/** The row in the one form of a tab. */
export function useEditedRow<Row extends { id: string }>(tab: string): EditedRow<Row> {
  const [edited, setEdited] = useState<Row | "new">();
  const askFirst = useAskFirst(tab);
  const key = keyOf(edited);
  return {
    edited,
    key,
    edit: (row) => {
      if (edited === undefined) setEdited(row);
      // The same row read again would be another baseline of what was typed.
      else if (keyOf(row) !== key) askFirst(() => setEdited(row));
    },
    // Another one may have been opened while this one was saved.
    close: () => setEdited((now) => (now === edited ? undefined : now)),
    forget: (ids) => setEdited((now) => (ids.includes(keyOf(now)) ? undefined : now)),
  };
}

function keyOf(row: { id: string } | "new" | undefined): string {
  return typeof row === "object" ? row.id : (row ?? "");
}
