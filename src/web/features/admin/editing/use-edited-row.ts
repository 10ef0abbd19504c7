import { useState } from "react";
import { randomUuid } from "../../../platform/browsers/random-uuid.ts";
import { useAskFirst } from "./leave-guard.tsx";

interface EditedRow<Row> {
  /** `"new"` while a row is made, undefined while the form is closed. */
  edited: Row | "new" | undefined;
  /** React's key of the form. */
  key: string | undefined;
  /** Opens the form; asks before it replaces another row's unsaved input (ADMIN-5). */
  edit: (row: Row | "new") => void;
  /** Takes the id of the row that the form of a new one has made; it may stay open. */
  made: (id: string) => void;
  close: () => void;
  /** Closes the form of a row that is gone. */
  forget: (ids: readonly string[]) => void;
}

interface OpenForm<Row> {
  row: Row | "new";
  /** Undefined until a new row is made. */
  id: string | undefined;
  key: string;
}

/** The row in the one form of a tab. */
export function useEditedRow<Row extends { id: string }>(tab: string): EditedRow<Row> {
  const [form, setForm] = useState<OpenForm<Row>>();
  const askFirst = useAskFirst(tab);
  // Another one may have been opened while this one was saved.
  const change = (changed: OpenForm<Row> | undefined): void => setForm((now) => (now?.key === form?.key ? changed : now));
  return {
    edited: form?.row,
    key: form?.key,
    edit: (row) => {
      const id = row === "new" ? undefined : row.id;
      const open = (): void => setForm({ row, id, key: randomUuid() });
      if (form === undefined) open();
      // The same row read again would be another baseline of what was typed.
      else if (id !== form.id) askFirst(open);
    },
    made: (id) => change(form && { ...form, id }),
    close: () => change(undefined),
    forget: (ids) => setForm((now) => (now?.id !== undefined && ids.includes(now.id) ? undefined : now)),
  };
}
