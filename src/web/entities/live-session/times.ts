/** Returns the name of the reader's own time zone: `Asia/Bangkok`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

const timeFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const longDayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long", day: "numeric", month: "long" });
const shortDayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });

export const timeOfDay = (iso: string): string => timeFormat.format(new Date(iso));

/** `Tuesday 24 November, 19:00 to 20:30`, in the reader's own time. */
export function dayAndTimes({ starts_at, ends_at }: { starts_at: string; ends_at: string }): string {
  return `${longDayFormat.format(new Date(starts_at)).replace(",", "")}, ${timeOfDay(starts_at)} to ${timeOfDay(ends_at)}`;
}

/** `Tue 24 Nov, 19:00`, in the reader's own time. */
export function dayAndTime(iso: string): string {
  return `${shortDayFormat.format(new Date(iso)).replace(",", "")}, ${timeOfDay(iso)}`;
}

/** Returns how long it still takes, in its two largest units; in the last hour as a clock shows it. */
export function countdown(seconds: number): string {
  if (seconds < 3600) return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${counted(hours, "hour")} ${Math.floor((seconds % 3600) / 60)} min`;
  const rest = hours % 24;
  return counted(Math.floor(hours / 24), "day") + (rest === 0 ? "" : ` ${counted(rest, "hour")}`);
}

const counted = (count: number, unit: string): string => `${count} ${unit}${count === 1 ? "" : "s"}`;
