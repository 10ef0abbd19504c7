import { ProductError } from "../errors/messages.ts";

/** Why a password is weak, in the words of the auth protocol. */
export type WeakReason = "length" | "characters" | "pwned";

export const minPasswordLength = 8;
export const maxPasswordLength = 256;
export const maxFullNameLength = 100;

/** Returns the number of code points of a password in NFC, the form that is hashed: an accent typed as a mark of its own counts as part of its letter (UAX 15). */
export function passwordLength(password: string): number {
  return Array.from(password.normalize("NFC")).length;
}

/** Returns the reasons for which a password is refused whoever chose it (ACCOUNT-4); the server also refuses those easy to guess. */
export function weakPasswordReasons(password: string): WeakReason[] {
  const reasons: WeakReason[] = [];
  if (passwordLength(password) < minPasswordLength) reasons.push("length");
  if (new Set(password.normalize("NFC")).size < 3) reasons.push("characters");
  return reasons;
}

const mailable =
  /^[A-Za-z0-9.!#$%&'*+/=?^_`{|}~-]{1,64}@(?:[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?\.)*[A-Za-z0-9](?:[A-Za-z0-9-]{0,61}[A-Za-z0-9])?$/;

/** Returns an address as it is stored and compared: trimmed, lower case (ACCOUNT-1). Throws `email_invalid` for what cannot be mailed. */
export function normaliseEmail(text: string): string {
  const email = text.trim();
  // Tested before it is lowered: the lower case of the Kelvin sign is a plain k, which is another person's address.
  if (email.length > 254 || !mailable.test(email)) throw new ProductError("email_invalid");
  return email.toLowerCase();
}

/** The Hangul filler is an invisible letter, and the blank Braille pattern is none. */
const visibleLetter = /(?!\p{Default_Ignorable_Code_Point})[\p{L}\p{N}]/u;

/** Returns a person's name as it is stored: trimmed, with its accents composed (LIST-2). Throws `full_name_missing` or `full_name_invalid` (ACCOUNT-11). */
export function normaliseFullName(text: string): string {
  const name = text.trim().normalize("NFC");
  if (name === "") throw new ProductError("full_name_missing");
  // Control characters could start a new header line in a mail, and direction marks make one name look like another.
  if (name.length > maxFullNameLength || /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name)) {
    throw new ProductError("full_name_invalid");
  }
  if (!visibleLetter.test(name)) throw new ProductError("full_name_invalid");
  return name;
}

/** Returns a text with a space wherever a mail program could see part of a link: after at signs, colons, slashes and full stops, in any width. */
export function breakLinks(text: string): string {
  return text.replace(/[@:/\\.\u3002\uff0e\uff0f\uff1a\uff20\uff61](?=\S)/gu, "$& ");
}

/**
 * Returns a name for the text of a mail, or `instead` when a mail program could turn the name into a link (ACCOUNT-11): with an at sign, a
 * colon, a slash, a full stop inside a word, or the digits of a telephone number, in any width.
 */
export function linkFreeName(name: string, instead: string): string {
  // Seven digits are the shortest number that phones make a link of; what stands between them does not matter.
  return /[@:/\\]|[.\u3002](?=\S)|(?:\p{N}\P{N}*){7}/u.test(name.normalize("NFKC")) ? instead : name;
}

/** Returns how a mail begins. Without the name where that could be read as a link, since the address may be a stranger's (ACCOUNT-11). */
export function greeting(fullName: string): string {
  return `${`Hello ${linkFreeName(fullName, "")}`.trim()},`;
}
