/** A bank account as a payer needs it. */
export interface BankAccount {
  name: string;
  account_number: string;
  account_name: string;
  /** Empty when the owner has not set one. */
  promptpay_id: string;
}

/** What a payer scans. */
export interface PaymentCode {
  /** The text of the QR code. */
  text: string;
  /** The same as a link that opens a wallet; banks have none. */
  link?: string;
}

/** One payment: how much to send, and where. */
export interface Payment {
  /** In the method's currency, a decimal string. */
  amount: string;
  destination: string;
  bank?: BankAccount | undefined;
}

/** The form of a method's transaction references. */
export interface ReferenceForm {
  /** Returns a typed text in the one form in which it is stored and compared. */
  normalForm(this: void, typed: string): string;
  /** Matches a reference in its normal form. */
  pattern: RegExp;
  /** Describes the form, for the hint and the refusal. */
  description: string;
  /** Says under the field what the reference is good for. */
  hint: string;
  /** Address of a public explorer, to which the reference is appended. */
  explorer?: string;
}

/** A way to pay. Everything the product needs to know about it is behind this interface and in its settings fields. */
export interface PaymentMethod<Settings> {
  name: string;
  /** Currency sign beside an amount (DECIDE-5). */
  currency: string;
  /** Digits after the point of an amount (QUOTE-3). */
  places: number;
  /** The most that is added to an amount to tell it from others, in units of its last digit (QUOTE-8). */
  maxAdded: number;
  /** The word for its destination in a sentence. */
  destinationName: "address" | "account";
  /** How its QR code is called and used. */
  scan: { name: string; instruction: string };
  /** Advice for paying, for the list of important notes. */
  notes: readonly string[];
  reference: ReferenceForm;
  /** Returns USD (a decimal string) in this currency, rounded half up to `places` (QUOTE-4). */
  amountFor(amountUsd: string, settings: Settings): string;
  /** Returns the worth of an amount in USD at the price in the settings, 2 decimals; null where the rate is fixed. */
  usdValue(amount: string, settings: Settings): string | null;
  /** Returns where to pay as one text; empty when the owner has not set it up (QUOTE-5). */
  destination(settings: Settings): string;
  /** Returns a destination as it is compared, where one can be written in several ways. */
  comparable?(this: void, destination: string): string;
  /** Returns the parts of a bank account, for methods that have one. */
  bank?(settings: Settings): BankAccount;
  /** Returns what a wallet or a bank's app scans (PAY-5); undefined when it has nothing to scan. */
  code(payment: Payment, receiver: string): PaymentCode | undefined;
}
