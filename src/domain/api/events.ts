import * as z from "zod/mini";

/** What a server-sent event is about; it carries ids only, the reader fetches what it may see. */
export const eventTopics = [
  "videos",
  "profile",
  "payment-requests",
  "live-sessions",
  "progress",
  "playback",
  "news",
  "wallet-settings",
  "quotes",
  "audit-log",
  "coupons",
  "rejection-reasons",
] as const;
export type EventTopic = (typeof eventTopics)[number];

export const ChangeEvent = z.object({ id: z.nullable(z.string()) });
export type ChangeEvent = z.infer<typeof ChangeEvent>;

/** The last event of a stream that ends because the account opened newer ones: reconnecting at once would end another. */
export const supersededEvent = "superseded";
