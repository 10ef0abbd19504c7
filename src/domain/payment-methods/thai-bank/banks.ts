import { trueMoney } from "./slip-code.ts";

/** Names of those that send transfers, by the Bank of Thailand's codes. */
// Stryker disable StringLiteral: names to look up, and no rule.
const bankNames: Record<string, string> = {
  "002": "Bangkok Bank",
  "004": "Kasikornbank",
  "006": "Krungthai Bank",
  "008": "JPMorgan Chase Bank",
  "011": "TMBThanachart Bank",
  "014": "Siam Commercial Bank",
  "017": "Citibank",
  "018": "Sumitomo Mitsui Banking Corporation",
  "020": "Standard Chartered Bank (Thai)",
  "022": "CIMB Thai Bank",
  "024": "United Overseas Bank (Thai)",
  "025": "Bank of Ayudhya (Krungsri)",
  "026": "Mega International Commercial Bank",
  "027": "Bank of America",
  "029": "Indian Overseas Bank",
  "030": "Government Savings Bank",
  "031": "HSBC",
  "032": "Deutsche Bank",
  "033": "Government Housing Bank",
  "034": "Bank for Agriculture and Agricultural Cooperatives",
  "035": "Export-Import Bank of Thailand",
  "039": "Mizuho Bank",
  "045": "BNP Paribas",
  "052": "Bank of China (Thai)",
  "065": "Thanachart Bank",
  "066": "Islamic Bank of Thailand",
  "067": "TISCO Bank",
  "069": "Kiatnakin Phatra Bank",
  "070": "ICBC (Thai)",
  "071": "Thai Credit Bank",
  "073": "Land and Houses Bank",
  "079": "ANZ Bank (Thai)",
  "080": "Sumitomo Mitsui Trust Bank (Thai)",
  "098": "Small and Medium Enterprise Development Bank of Thailand",
  [trueMoney]: "TrueMoney Wallet",
};
// Stryker restore StringLiteral

/** Returns the name of a slip's sending bank, or its code in words where none is known. */
export function bankName(sendingBank: string): string {
  return bankNames[sendingBank] ?? `the bank with code ${sendingBank}`;
}
