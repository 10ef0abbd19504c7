import { paymentPage } from "#domain/accounts/next-page";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { errors, type ErrorCode, type ProductError } from "#domain/errors/messages";
import { packages } from "#domain/packages";
import { packageWith } from "#domain/video-access";
import { pendingWith } from "../../entities/payment-request/next-step.ts";
import { myStatusText } from "../../entities/payment-request/status-badge.tsx";

/** What stands in place of a film that may not be played now. */
export interface Stop {
  title: string;
  /** Undefined where the title says it all. */
  text?: string;
  /** The one next step; without an address it asks again whether the film may be played. Undefined until it is known. */
  next: { label: string; to?: string } | undefined;
}

/** Whether the lesson is outside of the viewer's package. */
export const isLocked = ({ code }: ProductError): boolean => code === "video_locked" || code === "not_allowed";
const isGone = (code: ErrorCode): boolean => ["video_not_found", "not_found", "invalid_input"].includes(code);

/**
 * Returns what to say of a locked lesson: it leads to the pending request that opens it, or to its purchase. `requests` are newest first, undefined
 * while they are read.
 */
export function lockedStop(lesson: Pick<Video, "package_type"> | undefined, requests: PaymentRequest[] | undefined): Stop {
  const sold = packageWith(lesson?.package_type ?? "advanced");
  const { name } = packages[sold];
  const title = `This lesson is part of ${name}`;
  if (requests === undefined) return { title, next: undefined };
  const pending = pendingWith(requests, sold);
  const next = pending
    ? { label: myStatusText(pending), to: paymentPage(pending.package_type) }
    : { label: `Get ${name}`, to: paymentPage(sold) };
  return { title, next };
}

/** Returns what to say when the film of a lesson of the viewer's package stops. Nothing is known of a lesson that is gone. */
export function stopOf({ code, message }: ProductError): Stop {
  if (isGone(code)) {
    const next = { label: "Back to your lessons", to: "/student" };
    return { title: "This lesson is gone", text: errors.video_not_found.text, next };
  }
  if (code === "playing_elsewhere") return { title: "Playing on another device", text: message, next: { label: "Watch here" } };
  return { title: "The film has stopped", text: message, next: { label: "Try again" } };
}
