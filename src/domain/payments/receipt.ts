/** A receipt's number: the year of the approval (UTC) and its place in that year, counted from 1 without gaps. */
export function receiptNumber(year: number, place: number): string {
  return `${year}-${String(place).padStart(5, "0")}`;
}
