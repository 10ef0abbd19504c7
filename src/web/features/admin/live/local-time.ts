/** Returns every time zone to choose from, the reader's own and a given one included. */
export function timeZones(...more: string[]): string[] {
  const own = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return [...new Set([...Intl.supportedValuesOf("timeZone"), "UTC", own, ...more])].toSorted((a, b) => (a < b ? -1 : 1));
}
