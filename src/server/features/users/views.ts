import type { ListedUser, UserNote } from "#domain/api/users";
import type { NoteRow, UserRow } from "./queries.ts";

/** Returns a student as the admin's list has them. */
export function userView(row: UserRow): ListedUser {
  return {
    id: row.id,
    email: row.email,
    user_metadata: { full_name: row.full_name },
    subscription_status: row.subscription_status,
    email_verified: row.email_verified,
    second_factor: row.second_factor,
    created_at: row.created_at.toISOString(),
    last_sign_in_at: row.last_sign_in_at?.toISOString() ?? null,
  };
}

/** Returns a note about a student; `updated_at` is null for one that was never changed. */
export function noteView({ id, text, created_at, updated_at }: NoteRow): UserNote {
  return { id, text, created_at: created_at.toISOString(), updated_at: updated_at?.toISOString() ?? null };
}
