/** Parts of a film in which those who stopped are counted (PATH-5). */
export const filmParts = 10;

/** Days after an approval from which a student without any progress is listed (PATH-6). */
export const notBegunAfterDays = 7;

/** Returns the name of a part of a film, counted from 0: `0–10%` for the first. */
export function filmPartName(part: number): string {
  const percent = 100 / filmParts;
  return `${part * percent}–${(part + 1) * percent}%`;
}
