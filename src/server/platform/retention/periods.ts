import { sharingDays } from "#domain/playback/sharing";

const day = 24 * 3600;

/** How long rows are kept after their use ended, in seconds (KEEP-1). Payments, receipts and the audit log are kept for ever. */
export const retentionSeconds = {
  /** A student who asks about a mail does so within weeks. Given-up mails leave the admin's list with it. */
  mails: 30 * day,
  /** The pause between two codes looks at the newest code, which is minutes old; a day helps to explain a support question. */
  verificationCodes: day,
  /** An expired link is refused the same with and without its row. */
  recoveries: day,
  /** An ended session is refused the same with and without its row; its refresh tokens go with it. */
  sessions: day,
  /** A bank transfer may take days (QUOTE-6). */
  endedQuotes: 7 * day,
  /** A network without a sign-in for this long is no longer familiar. */
  familiarNetworks: 180 * day,
  /** Records of reminders are not needed once the occurrence has begun. */
  liveReminders: day,
  /** Their links end after three days; the audit log keeps what they did. */
  guardedChanges: 30 * day,
  /** Networks and devices of playing: as long as the view of sharing counts. */
  playingDays: sharingDays * day,
  /** Transfers read from Ethereum: longer than a request should be pending. */
  chainTransfers: 90 * day,
  /** Long enough to see what a receiver missed, and to send it again. */
  webhookEvents: 30 * day,
  /** Name and address of somebody who never proved the address and never came back. */
  unfinishedSignUps: 30 * day,
} as const;
