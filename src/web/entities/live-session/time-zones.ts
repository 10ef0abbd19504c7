/** Returns the reader's own time zone: `Asia/Bangkok`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}

/** Returns every time zone to choose from, the reader's own and a given one included. */
export function timeZones(given: string): string[] {
  const zones = new Set([...Intl.supportedValuesOf("timeZone"), "UTC", ownTimeZone(), given]);
  return [...zones].sort((a, b) => (a < b ? -1 : 1));
}

/** Returns a time zone as it is displayed: `America/New York`. */
export const timeZoneName = (timeZone: string): string => timeZone.replaceAll("_", " ");
