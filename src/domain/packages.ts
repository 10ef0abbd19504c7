/** What is sold (PACKAGE-1). */
export const packageTypes = ["starter", "advanced"] as const;
export type PackageType = (typeof packageTypes)[number];

export const subscriptionStatuses = ["unpaid", "starter", "advanced"] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

export interface PackageDefinition {
  name: string;
  /** USD, a decimal string. */
  priceUsd: string;
  features: readonly string[];
}

export const packages: Record<PackageType, PackageDefinition> = {
  starter: {
    name: "Starter",
    priceUsd: "497",
    features: ["Forex Basics", "SMC Full Course", "SMC Trade Plan", "Risk Management", "Psychology & Mindset Mastery (Basic)"],
  },
  advanced: {
    name: "Advanced",
    priceUsd: "997",
    features: [
      "Forex Basics",
      "SMC Full Course",
      "SMC Trade Plan",
      "Elliott Wave Full Course",
      "Elliott Wave Trade Plan",
      "SMC + Wave Trade Plan",
      "Risk Management",
      "Psychology & Mindset Mastery (Full Course)",
      "Weekly Live Mentorship",
    ],
  },
};

export const packageBadges: Record<SubscriptionStatus, string> = {
  unpaid: "No Package",
  starter: "Starter Package",
  advanced: "Advanced Package",
};

const rank: Record<SubscriptionStatus, number> = { unpaid: 0, starter: 1, advanced: 2 };

/** Returns whether a tier has a package, or a better one, so that there is nothing to buy (PAY-9). */
export function includesPackage(tier: SubscriptionStatus, packageType: PackageType): boolean {
  return rank[tier] >= rank[packageType];
}

/** Returns whether going from one tier to another takes something away (PACKAGE-3). */
export function isDowngrade(from: SubscriptionStatus, to: SubscriptionStatus): boolean {
  return rank[to] < rank[from];
}
