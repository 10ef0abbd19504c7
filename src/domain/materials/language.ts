const maxLanguageLength = 35;

/** Returns a BCP 47 language tag in its canonical form, such as `pt-BR` for `PT-br`; undefined for what is none, or longer than 35 characters. */
export function canonicalLanguage(tag: string): string | undefined {
  if (tag.length > maxLanguageLength) return undefined;
  // Stryker disable BlockStatement: an empty block returns undefined as well.
  try {
    return Intl.getCanonicalLocales(tag)[0];
  } catch {
    return undefined;
  }
}

/** Returns the name of a language in itself, such as "ไทย" for `th`; the tag where it has none. */
export function languageName(tag: string): string {
  try {
    return new Intl.DisplayNames([tag], { type: "language" }).of(tag) ?? tag;
  } catch {
    return tag;
  }
}

/** Returns the language that a file's name ends in, such as `th` of `lesson-1.th.vtt`; undefined where it names none. */
export function languageOfFilename(filename: string): string | undefined {
  const tag = /[._-]([A-Za-z]{2}(?:-[A-Za-z]{2,4})?)\.[A-Za-z]{3}$/.exec(filename)?.[1];
  return tag === undefined ? undefined : canonicalLanguage(tag);
}
