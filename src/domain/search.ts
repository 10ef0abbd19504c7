/** Words of a search that are looked for; more would be no help. */
const mostWords = 10;

/** Units and signs as they stand beside an amount on the screens. */
const units = ["usd", "btc", "eth", "thb"];
const sign = /^[$฿](?=\d)/;

/** Returns the words of a search, each of which has to occur (LIST-2). Accents are composed. */
export function searchWords(search: string): string[] {
  return wordsOf(search.normalize("NFC")).slice(0, mostWords);
}

/** Returns a search of what has amounts, with these in the form in which they are stored: "17,395.00 THB" becomes "17395" (LIST-2). */
export function withPlainAmounts(search: string): string {
  const words = wordsOf(search);
  const isBesideAmount = (index: number): boolean => [words[index - 1], words[index + 1]].some(isAmount);
  return words
    .filter((word, index) => !(units.includes(word.toLowerCase()) && isBesideAmount(index)))
    .map((word) => (isAmount(word) ? plainAmount(word) : word))
    .join(" ");
}

function wordsOf(search: string): string[] {
  return search.split(/\s/).filter((word) => word !== "");
}

function isAmount(word = ""): boolean {
  return /^\d[\d,]*(\.\d+)?$/.test(word.replace(sign, ""));
}

function plainAmount(word: string): string {
  const [whole, digits = ""] = word.replace(sign, "").replaceAll(",", "").split(".");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? whole! : `${whole}.${kept}`;
}
