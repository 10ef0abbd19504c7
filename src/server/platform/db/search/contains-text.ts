import { and, like, sql, type SQL, type SQLWrapper } from "drizzle-orm";
import { searchWords } from "#domain/search";

/** Keys of one word that an index is asked for: each costs a look-up, and a few leave next to no other rows. */
const maxKeys = 5;

/**
 * Returns the condition that a text contains every word of a search, in any letter case; a word of one or two characters has to begin
 * a word of the text (LIST-2). `%`, `_` and `\` have no special meaning. `form` is the text as the database's `search_form` returns it,
 * and `lowered` the text in lower case alone, where the form is not stored: it costs less, and serves words of three characters and more
 * without a sigma, whose forms it tells apart.
 */
export function containsText(search: string, form: SQLWrapper, lowered = form): SQL | undefined {
  return and(
    ...searchParts(search).map((part) => {
      const pattern = `%${part.replace(/[\\%_]/g, "\\$&")}%`;
      return like(sql`${/^ |σ/.test(part) ? form : lowered}`, sql`lower(${pattern})`);
    }),
  );
}

/** Returns keys that every text with the words of a search has, by which an index of `search_keys` finds few others; before `lower`. */
export function searchKeys(search: string): string[] {
  return searchParts(search).flatMap((part) => {
    const letters = Array.from(part);
    const starts = letters.length - 2;
    const count = Math.min(starts, maxKeys);
    return Array.from({ length: count }, (_, index) => {
      const start = Math.floor((index * starts) / count);
      return letters.slice(start, start + 3).join("");
    });
  });
}

/** Returns the words of a search as the search form has them: after two spaces, which make three characters of one or two. */
function searchParts(search: string): string[] {
  return searchWords(search).map((word) => " ".repeat(Math.max(0, 3 - Array.from(word).length)) + word);
}
