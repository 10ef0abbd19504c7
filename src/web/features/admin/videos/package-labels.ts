import type { VideoPackageType } from "#domain/video-access";

/** The packages of a lesson as the admin chooses them (VIDEOS-4). */
export const packageLabels: Record<VideoPackageType, string> = {
  both: "Free preview: every verified student",
  starter: "Starter and Advanced",
  advanced: "Advanced only",
};
