/** Words of a search that are looked for; more would be no help. */
const maxWords = 10;

/** Units and signs as they stand beside an amount on the screens. */
const units = ["usd", "btc", "eth", "thb"];
const sign = /^[$฿](?=\d)/;

/** Returns the words of a search, each of which has to occur (LIST-2). Accents are composed, and the three forms of sigma are one. */
export function searchWords(search: string): string[] {
  return wordsOf(search.normalize("NFC").replace(/[Σς]/g, "σ")).slice(0, maxWords);
}

/** Returns a search of what has amounts, with these in the form in which they are stored: "17,395.00 THB" becomes "17395" (LIST-2). */
export function withPlainAmounts(search: string): string {
  return withAmounts(search, (amount) => amount.replace(/\.0+$|(?<=\.\d*[1-9])0+$/, ""));
}

/** Returns a search whose amounts have no sign, unit or separators, and keep their decimals: "17,395.00 THB" becomes "17395.00" (AUDIT-4). */
export function withBareAmounts(search: string): string {
  return withAmounts(search, (amount) => amount);
}

/** Returns a search without the units beside amounts, and with the `form` of each amount, which it gets without sign and separators. */
function withAmounts(search: string, form: (amount: string) => string): string {
  const words = wordsOf(search);
  const isBesideAmount = (index: number): boolean => [words[index - 1], words[index + 1]].some(isAmount);
  return words
    .filter((word, index) => !(units.includes(word.toLowerCase()) && isBesideAmount(index)))
    .map((word) => (isAmount(word) ? form(word.replace(sign, "").replaceAll(",", "")) : word))
    .join(" ");
}

function wordsOf(search: string): string[] {
  return search.split(/\s/).filter((word) => word !== "");
}

function isAmount(word = ""): boolean {
  return /^\d[\d,]*(\.\d+)?$/.test(word.replace(sign, ""));
}
