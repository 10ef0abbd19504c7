import type { UserNote } from "#domain/api/users";
import type { AuditEvent } from "#domain/audit/sentences";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import type { Transaction } from "../../platform/db/database.ts";
import { transaction } from "../../platform/db/transaction.ts";
import { lockStudent } from "./manage.ts";
import * as queries from "./queries.ts";
import { noteView } from "./views.ts";

/** A note of a student, by their ids. */
interface NoteOfStudent {
  id: string;
  note_id: string;
}

/** Adds a note about a student (USER-6) and returns it. Throws `user_not_found` or `admin_account_fixed`. */
export function addNote(deps: Dependencies, actor: Actor, userId: string, text: string): Promise<UserNote> {
  const created_at = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    const { email } = await lockStudent(tx, userId);
    const note = await queries.insertNote(tx, { account_id: userId, text, created_at });
    await audit(tx, actor, { at: created_at, action: "user.note-add", userId, email, noteId: note.id });
    return noteView(note);
  });
}

/** Changes a note about a student and returns it. Throws `user_not_found`, `admin_account_fixed` or `user_note_not_found`. */
export function changeNote(deps: Dependencies, actor: Actor, { id, note_id }: NoteOfStudent, text: string): Promise<UserNote> {
  const now = deps.clock.now();
  return transaction(deps.db, async (tx) => {
    const { email } = await lockStudent(tx, id);
    const note = await queries.updateNote(tx, { id: note_id, account_id: id }, { text, updated_at: now });
    if (!note) throw new ProductError("user_note_not_found");
    await audit(tx, actor, { at: now, action: "user.note-change", userId: id, email, noteId: note_id });
    return noteView(note);
  });
}

/** Deletes a note about a student. Throws `user_not_found`, `admin_account_fixed` or `user_note_not_found`. */
export function removeNote(deps: Dependencies, actor: Actor, { id, note_id }: NoteOfStudent): Promise<void> {
  return transaction(deps.db, async (tx) => {
    const { email } = await lockStudent(tx, id);
    if (!(await queries.deleteNote(tx, { id: note_id, account_id: id }))) throw new ProductError("user_note_not_found");
    await audit(tx, actor, { at: deps.clock.now(), action: "user.note-delete", userId: id, email, noteId: note_id });
  });
}

interface NoteAudit {
  at: Date;
  action: AuditEvent;
  userId: string;
  email: string;
  noteId: string;
}

/** Without the note's text: the audit log stays when an account and its notes are deleted. */
function audit(tx: Transaction, actor: Actor, { at, action, userId, email, noteId }: NoteAudit): Promise<void> {
  return recordAudit(tx, actor, { at, action, subject: { type: "account", id: userId }, details: { email, note: noteId } });
}
