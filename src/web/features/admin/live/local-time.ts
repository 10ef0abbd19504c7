/** Returns the day and the time of day in a zone, as the fields of a form have them. */
export function localTime(iso: string, timeZone: string): { date: string; time: string } {
  // Sweden writes 2026-11-24 19:00.
  const format = new Intl.DateTimeFormat("sv-SE", { dateStyle: "short", timeStyle: "short", timeZone });
  const [date = "", time = ""] = format.format(new Date(iso)).split(" ");
  return { date, time };
}

/** Returns the name of the day of the week of `2026-11-24`. */
export function weekday(date: string): string {
  return new Intl.DateTimeFormat("en-GB", { weekday: "long", timeZone: "UTC" }).format(new Date(`${date}T00:00:00Z`));
}

/** Returns every time zone to choose from, the reader's own and a given one included. */
export function timeZones(...more: string[]): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", own, ...more])].toSorted((a, b) => (a < b ? -1 : 1));
}
