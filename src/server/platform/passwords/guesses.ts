import { ZxcvbnFactory } from "@zxcvbn-ts/core";
import { adjacencyGraphs, dictionary as common } from "@zxcvbn-ts/language-common";
import { dictionary as english } from "@zxcvbn-ts/language-en";

/** A password that a guesser finds within this many tries is guessable: our limits let strangers try 100 in an hour. */
const minGuesses = 100_000;

/** Characters that are checked at a time; the time grows with the square, and a long password is strong by either end. */
const maxCharacters = 32;

const estimator = new ZxcvbnFactory({
  graphs: adjacencyGraphs,
  dictionary: {
    passwords: common["passwords-common"],
    words: english["commonWords-en"],
    names: english["firstnames-en"],
  },
  // Bounds the work for passwords of symbols that can replace many letters.
  l33tMaxSubstitutions: 8,
});

/** Returns whether a password is found early by a guesser with lists of passwords and words, or by one who has `own`, its owner's words. */
export function isGuessable(password: string, own: readonly string[]): boolean {
  const isWeak = (part: string): boolean => estimator.check(part, [...own]).guesses < minGuesses;
  const text = password.length > maxCharacters ? withoutOwn(password, own) : password;
  return isWeak(text.slice(0, maxCharacters)) && isWeak(text.slice(-maxCharacters));
}

/** Returns a password with each of its owner's words as one character: a word that the cut divides would not be recognised. */
function withoutOwn(password: string, own: readonly string[]): string {
  const longestFirst = own.toSorted((a, b) => b.length - a.length);
  return longestFirst.reduce((text, word) => text.replaceAll(word.toLowerCase(), "·"), password.toLowerCase());
}
