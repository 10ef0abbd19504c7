/** Returns the day of a time in UTC, as PostgreSQL writes a date. */
export function dayOf(time: Date): string {
  return time.toISOString().slice(0, 10);
}
