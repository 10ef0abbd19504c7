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
