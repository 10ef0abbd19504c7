import type { SubscriptionStatus } from "./packages.ts";

/** Mails that a student can turn off; every other mail is necessary (MAIL-8). */
export const optionalMailKinds = ["news", "live_session_reminder"] as const;
export type OptionalMailKind = (typeof optionalMailKinds)[number];

interface OptionalMail {
  /** Its name on the account page and in the mail. */
  name: string;
  /** The tiers that get it until the student chooses. */
  wantedByDefault: readonly SubscriptionStatus[];
}

export const optionalMails: Record<OptionalMailKind, OptionalMail> = {
  // Whoever has bought nothing has not asked for mails about the course.
  news: { name: "News about the course", wantedByDefault: ["starter", "advanced"] },
  // It concerns appointments, and is mailed to those alone who may join them.
  live_session_reminder: { name: "Reminders of live sessions", wantedByDefault: ["unpaid", "starter", "advanced"] },
};
