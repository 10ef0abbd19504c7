import { paymentPage } from "#domain/accounts/next-page";
import type { Video } from "#domain/api/course/videos";
import { errors, type ErrorCode, type ProductError } from "#domain/errors/messages";
import { packages } from "#domain/packages";
import { packageWith } from "#domain/video-access";

/** What stands in place of a film that may not be played now, with the one next step. */
export interface Stop {
  title: string;
  /** Undefined where the title says it all. */
  text?: string;
  /** Without an address it asks again whether the film may be played. */
  next: { label: string; to?: string };
}

const isLocked = (code: ErrorCode): boolean => code === "video_locked" || code === "not_allowed";
const isGone = (code: ErrorCode): boolean => ["video_not_found", "not_found", "invalid_input"].includes(code);

/** Returns what to say when a film stops, and where to go from there. Nothing is known of a lesson that is gone. */
export function stopOf({ code, message }: ProductError, lesson: Pick<Video, "package_type"> | undefined): Stop {
  if (isLocked(code)) {
    const sold = packageWith(lesson?.package_type ?? "advanced");
    const { name } = packages[sold];
    return { title: `This lesson is part of ${name}`, next: { label: `Get ${name}`, to: paymentPage(sold) } };
  }
  if (isGone(code)) {
    const next = { label: "Back to your lessons", to: "/student" };
    return { title: "This lesson is gone", text: errors.video_not_found.text, next };
  }
  if (code === "playing_elsewhere") return { title: "Playing on another device", text: message, next: { label: "Watch here" } };
  return { title: "The film has stopped", text: message, next: { label: "Try again" } };
}
