import { subscriptionStatuses, type SubscriptionStatus } from "./packages.ts";
import type { Viewer } from "./video-access.ts";

/** Whom an announcement is for. */
export const newsAudiences = ["everyone", "starter", "advanced"] as const;
export type NewsAudience = (typeof newsAudiences)[number];

/** The tiers that an audience is made of (NEWS-2): Advanced includes Starter, so news of Starter is theirs too. */
export const audienceTiers: Record<NewsAudience, readonly SubscriptionStatus[]> = {
  everyone: subscriptionStatuses,
  starter: ["starter", "advanced"],
  advanced: ["advanced"],
};

export const audienceNames: Record<NewsAudience, string> = {
  everyone: "All students",
  starter: "Starter and Advanced",
  advanced: "Advanced only",
};

/** Returns the audiences that a viewer belongs to; the admin reads everything (NEWS-2). */
export function audiencesOf({ role, subscription_status: tier }: Viewer): NewsAudience[] {
  return newsAudiences.filter((audience) => role === "admin" || audienceTiers[audience].includes(tier));
}

/** Characters of an announcement. */
export const maxNewsTitleLength = 120;
export const maxNewsTextLength = 5000;
