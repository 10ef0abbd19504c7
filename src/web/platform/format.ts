const usdFormat = new Intl.NumberFormat("en-US", {
  style: "currency",
  currency: "USD",
  minimumFractionDigits: 0,
  maximumFractionDigits: 20,
});
const dateTimeFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short" });
const utcDateTimeFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeStyle: "short", timeZone: "UTC" });
const dayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium" });
const calendarDayFormat = new Intl.DateTimeFormat("en-GB", { dateStyle: "medium", timeZone: "UTC" });
const weekdayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" });
const shortDayFormat = new Intl.DateTimeFormat("en-GB", { weekday: "short", day: "numeric", month: "short" });
const timeFormat = new Intl.DateTimeFormat("en-GB", { timeStyle: "short" });
const sizeFormat = new Intl.NumberFormat("en-US", { maximumFractionDigits: 1 });

/** A decimal string of USD to its last digit: `299.1` becomes `$299.1` (TEXT-3). */
export function usd(amount: string): string {
  return usdFormat.format(amount as `${number}`);
}

export const dateTime = (iso: string): string => dateTimeFormat.format(new Date(iso));
/** In UTC, so that every reader sees the same text. */
export const utcDateTime = (iso: string): string => `${utcDateTimeFormat.format(new Date(iso))} UTC`;
export const day = (iso: string): string => dayFormat.format(new Date(iso));
/** Returns the day of `2026-11-24`, the same in every time zone. */
export const calendarDay = (date: string): string => calendarDayFormat.format(new Date(date));
export const timeOfDay = (iso: string): string => timeFormat.format(new Date(iso));

/** Returns the zone of the local times here. It stays the same while a page is open, even if that of the device changes. */
export const displayedTimeZone = (): string => timeFormat.resolvedOptions().timeZone;

/** For days that are near: `Tue 24 Nov, 19:00`. */
export function dayAndTime(iso: string): string {
  return `${shortDayFormat.format(new Date(iso)).replace(",", "")}, ${timeOfDay(iso)}`;
}

/** Returns the name of the day of the week of `2026-11-24`. */
export const weekday = (date: string): string => weekdayFormat.format(new Date(date));

/** Returns the day and the time of day in a time zone, as the fields of a form have them. */
export function localTime(iso: string, timeZone: string): { date: string; time: string } {
  // Sweden writes 2026-11-24 19:00.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
  const [date = "", time = ""] = format.format(new Date(iso)).split(" ");
  return { date, time };
}

export function fileSize(bytes: number): string {
  const units = ["bytes", "kB", "MB", "GB"];
  const step = Math.min(units.length - 1, bytes < 1 ? 0 : Math.floor(Math.log(bytes) / Math.log(1024)));
  return `${sizeFormat.format(bytes / 1024 ** step)} ${units[step]}`;
}

/** Minutes and seconds left, as a clock shows them. */
export function clock(seconds: number): string {
  const whole = Math.max(0, Math.ceil(seconds));
  return `${Math.floor(whole / 60)}:${String(whole % 60).padStart(2, "0")}`;
}

/** Returns how long it still takes, in its two largest units; in the last hour as a clock shows it. */
export function countdown(seconds: number): string {
  if (seconds < 3600) return clock(seconds);
  const hours = Math.floor(seconds / 3600);
  if (hours < 24) return `${counted(hours, "hour")} ${Math.floor((seconds % 3600) / 60)} min`;
  const rest = hours % 24;
  return counted(Math.floor(hours / 24), "day") + (rest === 0 ? "" : ` ${counted(rest, "hour")}`);
}

/** A position in a recording: `4:05`, `1:04:05`. */
export function clockTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [Math.floor(whole / 3600), Math.floor(whole / 60) % 60, whole % 60];
  const [first, ...rest] = parts[0] === 0 ? parts.slice(1) : parts;
  return [String(first), ...rest.map((part) => String(part).padStart(2, "0"))].join(":");
}

/** The same for screen readers: `4 minutes 5 seconds`. */
export function spokenTime(seconds: number): string {
  const whole = Math.floor(seconds);
  const parts = [counted(Math.floor(whole / 3600), "hour"), counted(Math.floor(whole / 60) % 60, "minute")];
  return [...parts.filter((part) => !part.startsWith("0 ")), counted(whole % 60, "second")].join(" ");
}

/** About how long something takes, rounded up: minutes below an hour, hours below two days, then days. */
export function roughly(seconds: number): string {
  const minutes = Math.max(1, Math.ceil(seconds / 60));
  if (minutes < 60) return counted(minutes, "minute");
  const hours = Math.ceil(minutes / 60);
  return hours < 48 ? counted(hours, "hour") : counted(Math.ceil(hours / 24), "day");
}

/** How long ago something was, rounded down: minutes below an hour, hours below two days, then days. */
export function ago(seconds: number): string {
  const minutes = Math.floor(seconds / 60);
  if (minutes < 1) return "just now";
  if (minutes < 60) return `${counted(minutes, "minute")} ago`;
  const hours = Math.floor(minutes / 60);
  return `${hours < 48 ? counted(hours, "hour") : counted(Math.floor(hours / 24), "day")} ago`;
}

/** Formats a playing time: in minutes, or in seconds below one minute. */
export function playingTime(seconds: number): string {
  if (seconds < 59.5) return `${Math.max(1, Math.round(seconds))} s`;
  const minutes = Math.round(seconds / 60);
  return minutes < 60 ? `${minutes} min` : `${Math.floor(minutes / 60)} h ${minutes % 60} min`;
}

/** `1 day`, `2 days`. */
export function counted(count: number, unit: string): string {
  return `${count} ${unit}${count === 1 ? "" : "s"}`;
}

/** The beginning and the end of what is too long to be read out; a short text stays whole, and words do, such as the name of a bank. */
export function shortened(text: string): string {
  return text.length <= 20 || text.includes(" ") ? text : `${text.slice(0, 8)}…${text.slice(-8)}`;
}
