import type { News } from "#domain/api/course/news";
import type { NewsRow } from "./queries.ts";

/** Returns an announcement for a reader; only the admin learns of its mailing. */
export function newsView(row: NewsRow, role: "student" | "admin"): News {
  const { id, title, body, audience, published_at, edited_at, unread, older_unread, mailing } = row;
  const isAdmin = role === "admin";
  return {
    id,
    title,
    text: body,
    audience,
    published_at: published_at.toISOString(),
    edited_at: edited_at?.toISOString() ?? null,
    unread: unread && !isAdmin,
    older_unread: older_unread && !isAdmin,
    mailing: isAdmin && mailing ? { mails: mailing.mails, finished_at: mailing.finished_at?.toISOString() ?? null } : null,
  };
}
