/** Returns the name of the reader's own time zone: `Asia/Bangkok`. */
export function ownTimeZone(): string {
  return new Intl.DateTimeFormat().resolvedOptions().timeZone;
}
