import { useState, type ReactNode } from "react";
import { NoteText, type UserDetail, type UserNote } from "#domain/api/users";
import { api } from "../../../../platform/api.ts";
import { useForm } from "../../../../platform/form.ts";
import { dateTime } from "../../../../platform/format.ts";
import { queryClient } from "../../../../platform/query/query-client.ts";
import { Button } from "../../../../ui/button.tsx";
import { TextArea } from "../../../../ui/field.tsx";
import { FormError } from "../../../../ui/form-error.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { DeleteDialog } from "../../delete-dialog.tsx";
import { EditButtons } from "../../edit-buttons.tsx";
import { usersKey } from "../queries.ts";

/** The admin's own notes about a student (USER-6). */
export function NotesPanel({ user: { id, notes } }: { user: UserDetail }): ReactNode {
  const [editing, setEditing] = useState<string>();
  const [deleting, setDeleting] = useState<UserNote>();
  return (
    <Panel aria-labelledby="notes">
      <PanelTitle id="notes">Notes</PanelTitle>
      <NoteForm
        label="New note"
        hint="For you alone. The student never reads it."
        save={(body) => api.users.addNote({ params: { id }, body })}
      />
      <ul className="mt-4 divide-y divide-line empty:hidden">
        {notes.map((note) => (
          <li key={note.id} className="py-3">
            {editing === note.id ? (
              <NoteForm
                label={`Note of ${dateTime(note.created_at)}`}
                initial={note.text}
                save={(body) => api.users.updateNote({ params: { id, note_id: note.id }, body })}
                onDone={() => setEditing(undefined)}
              />
            ) : (
              <Note note={note} onEdit={() => setEditing(note.id)} onDelete={() => setDeleting(note)} />
            )}
          </li>
        ))}
      </ul>
      <DeleteDialog
        row={deleting}
        title="Delete note"
        remove={(note) => api.users.removeNote({ params: { id, note_id: note.id } })}
        queryKey={usersKey}
        onClose={() => setDeleting(undefined)}
      >
        <p className="wrap-anywhere whitespace-pre-wrap text-ink">{deleting?.text}</p>
      </DeleteDialog>
    </Panel>
  );
}

interface NoteProps {
  note: UserNote;
  onEdit: () => void;
  onDelete: () => void;
}

function Note({ note: { text, created_at, updated_at }, onEdit, onDelete }: NoteProps): ReactNode {
  return (
    <div className="flex items-start justify-between gap-3">
      <div className="min-w-0">
        <p className="wrap-anywhere whitespace-pre-wrap">{text}</p>
        <p className="figures text-small text-muted">
          <time dateTime={created_at}>{dateTime(created_at)}</time>
          {updated_at !== null && (
            <>
              , changed <time dateTime={updated_at}>{dateTime(updated_at)}</time>
            </>
          )}
        </p>
      </div>
      <span className="flex">
        <EditButtons name={`the note of ${dateTime(created_at)}`} onEdit={onEdit} onDelete={onDelete} />
      </span>
    </div>
  );
}

interface NoteFormProps {
  label: string;
  hint?: string;
  initial?: string;
  save: (note: { text: string }) => Promise<unknown>;
  /** A form that closes has a way out, too. */
  onDone?: () => void;
}

function NoteForm({ label, hint, initial = "", save, onDone }: NoteFormProps): ReactNode {
  const form = useForm({
    initial: { text: initial },
    schema: NoteText,
    mutationFn: save,
    onSuccess: () => queryClient.invalidateQueries({ queryKey: usersKey }),
    onDone: () => (onDone ? onDone() : form.reset()),
  });
  return (
    <form noValidate onSubmit={form.onSubmit} className="grid gap-3">
      <TextArea label={label} hint={hint} rows={3} {...form.field("text")} />
      <FormError form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" variant="secondary" size="small" isBusy={form.isPending}>
          {onDone ? "Save note" : "Add note"}
        </Button>
        {onDone && (
          <Button variant="quiet" size="small" onClick={onDone}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}
