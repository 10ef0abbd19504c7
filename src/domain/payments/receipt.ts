/** Returns a receipt's number, `2026-00001`: the year of the approval (UTC) and its place in that year, counted from 1 without gaps. */
export function receiptNumber(year: number, place: number): string {
  return `${year}-${String(place).padStart(5, "0")}`;
}
