/** Words of a search that are looked for; more would be no help. */
const mostWords = 10;

/** Units and signs as they stand beside an amount on the screens. */
const units = ["usd", "btc", "eth", "thb"];
const sign = /^[$฿](?=\d)/;

/**
 * Returns the words of a search, each of which has to occur (LIST-2). Accents are composed, and amounts are in the form in which they
 * are stored: "17,395.00 THB" is the word "17395".
 */
export function searchWords(search: string): string[] {
  const words = search
    .normalize("NFC")
    .split(/\s/)
    .filter((word) => word !== "");
  const withoutUnits = words.filter((word) => !units.includes(word.toLowerCase()));
  return (withoutUnits.length > 0 ? withoutUnits : words).slice(0, mostWords).map(plainAmount);
}

function plainAmount(word: string): string {
  const amount = word.replace(sign, "");
  if (!/^\d[\d,]*(\.\d+)?$/.test(amount)) return word;
  const [whole, digits = ""] = amount.replaceAll(",", "").split(".");
  const kept = digits.replace(/0+$/, "");
  return kept === "" ? whole! : `${whole}.${kept}`;
}
