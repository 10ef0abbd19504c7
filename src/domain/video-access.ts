import type { PackageType, SubscriptionStatus } from "./packages.ts";

export const videoPackageTypes = ["both", "starter", "advanced"] as const;
export type VideoPackageType = (typeof videoPackageTypes)[number];

/** Smallest order index of a video (VIDEO-1). */
export const minOrderIndex = 1;

/** Who is asking: the admin sees every video. */
export interface Viewer {
  role: "student" | "admin";
  subscription_status: SubscriptionStatus;
}

/**
 * Returns whether a viewer may play a video of a package type: `both` plays for every verified student, Advanced plays all, Starter
 * plays Starter (VIDEO-2).
 */
export function canPlay(viewer: Viewer, packageType: VideoPackageType): boolean {
  if (viewer.role === "admin" || packageType === "both") return true;
  if (viewer.subscription_status === "advanced") return true;
  return viewer.subscription_status === "starter" && packageType === "starter";
}

/** Returns the cheapest package whose students may play a video of a package type (VIDEO-2). */
export function packageWith(packageType: VideoPackageType): PackageType {
  return packageType === "advanced" ? "advanced" : "starter";
}

/** Returns the tag on a video card: "All" for both, else the package type (VIDEO-5). */
export function packageTag(packageType: VideoPackageType): string {
  return packageType === "both" ? "All" : packageType;
}
