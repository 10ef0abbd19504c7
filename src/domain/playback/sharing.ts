/** What is counted of a student's playing in the last 30 days (DEVICE-5). */
export const sharingSigns = ["networks", "devices", "displaced"] as const;
export type SharingSign = (typeof sharingSigns)[number];
export type PlayingCounts = Record<SharingSign, number>;

/** Days that are counted, today included. Older ones are deleted. */
export const sharingDays = 30;

/**
 * The counts from which playing is unusual for one person in 30 days.
 * - networks: a phone that changes its mobile network every day, beside a home and a workplace, stays below 35.
 * - devices: two phones, a tablet and two computers are five. A browser whose cookies are cleared counts again.
 * - displaced: one person who leaves a film for another device pauses the first, and it makes room by itself after two minutes. Ten
 *   times in a month, somebody was still watching.
 */
export const unusualFrom: PlayingCounts = { networks: 35, devices: 6, displaced: 10 };

/** Returns the counts that are unusual. */
export function unusualSigns(counts: PlayingCounts): SharingSign[] {
  return sharingSigns.filter((sign) => counts[sign] >= unusualFrom[sign]);
}
