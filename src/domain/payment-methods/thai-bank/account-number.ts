/**
 * Returns an account number, or a text with one, as it is compared: people group its digits by blanks and dashes in different ways. A text
 * of nothing else stays.
 */
export function ungrouped(text: string): string {
  return text.replace(/[\s\p{Pd}]/gu, "") || text;
}
