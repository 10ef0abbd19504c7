/** Returns a timestamp for people to read, to the minute: `2026-11-22 10:48 UTC`. */
export function minuteText(at: string): string {
  return `${at.slice(0, 16).replace("T", " ")} UTC`;
}
