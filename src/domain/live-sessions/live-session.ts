import type { Viewer } from "../video-access.ts";

/** When a session takes place, in the local time of its zone. */
export interface LiveSessionPlan {
  /** The first day, or the only one: `2026-11-24`. */
  date: string;
  /** `19:00` */
  time: string;
  /** An IANA name: `Asia/Bangkok`. */
  time_zone: string;
  duration_minutes: number;
  weekly: boolean;
  /** The last day on which a weekly session may take place; null for none. */
  ends_on: string | null;
}

/** Minutes before the start from which a student may join (LIVESESSION-3). */
export const joinOpensMinutes = 15;

/** Minutes before the start at which a reminder is sent (LIVESESSION-6). */
export const reminderMinutes = 60;

/** Minutes that a session may last. */
export const sessionMinutes = { shortest: 5, longest: 720 };

/** Returns whether live sessions are part of what a viewer has: Advanced students, and the admin (LIVESESSION-3). */
export function hasLiveSessions({ role, subscription_status }: Viewer): boolean {
  return role === "admin" || subscription_status === "advanced";
}

interface Times {
  starts_at: Date;
  ends_at: Date;
}

/** Returns the time from which an occurrence can be joined. */
export function joinOpensAt({ starts_at }: Pick<Times, "starts_at">): Date {
  return new Date(starts_at.getTime() - joinOpensMinutes * 60_000);
}

/** Returns whether an occurrence can be joined: from 15 minutes before its start until its end (LIVESESSION-3). */
export function isJoinOpen(occurrence: Times, now: Date): boolean {
  return joinOpensAt(occurrence) <= now && now < occurrence.ends_at;
}

/** Short names such as IST, which Node.js accepts and the calendar library refuses. Those that IANA has, such as CET, are left out. */
const unplannable = /^(?!CE|EE|ES|GM|HS|ME|MS|UC|WE)[A-Z]{2}T$/i;

/** Returns whether a name is that of a time zone that this machine has rules for. Offsets such as `+07:00` are none. */
export function isTimeZone(name: string): boolean {
  // Stryker disable next-line ConditionFalse,Regex: Node.js 20 refuses offsets by itself, and only later versions take them.
  if (!/^[A-Za-z]/.test(name)) return false;
  if (unplannable.test(name)) return false;
  try {
    // Stryker disable next-line StringLiteral: no zone has an empty name, nor this one.
    return new Intl.DateTimeFormat("en", { timeZone: name }).resolvedOptions().timeZone !== "";
  } catch {
    return false;
  }
}
