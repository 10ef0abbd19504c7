import { ProductError } from "../errors/messages.ts";

/** Why a password is weak, in the words of the auth protocol. */
export type WeakReason = "length" | "characters" | "pwned";

export const minPasswordLength = 8;
export const maxPasswordLength = 256;
export const maxFullNameLength = 100;

/** Short, since length and variety do most of the work; each is a password that guessing lists start with. */
const commonPasswords = new Set([
  "password",
  "password1",
  "password12",
  "password123",
  "passw0rd",
  "12345678",
  "123456789",
  "1234567890",
  "qwertyui",
  "qwerty123",
  "qwertyuiop",
  "1q2w3e4r",
  "11111111",
  "00000000",
  "iloveyou",
  "abcd1234",
  "abc12345",
  "letmein1",
  "trading1",
  "forex123",
  "bitcoin1",
  "sunshine",
  "football",
  "princess",
  "welcome1",
  "admin123",
  "administrator",
]);

/** The reasons for which a password is refused; empty when it is good enough. */
export function weakPasswordReasons(password: string): WeakReason[] {
  const reasons: WeakReason[] = [];
  if (password.length < minPasswordLength) reasons.push("length");
  if (new Set(password).size < 3) reasons.push("characters");
  if (commonPasswords.has(password.toLowerCase())) reasons.push("pwned");
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

/** Returns a person's name as it is stored: trimmed. Throws `full_name_missing` or `full_name_invalid`. */
export function normaliseFullName(text: string): string {
  const name = text.trim();
  if (name === "") throw new ProductError("full_name_missing");
  // Control characters could start a new header line in a mail, and direction marks make one name look like another.
  if (name.length > maxFullNameLength || /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(name)) {
    throw new ProductError("full_name_invalid");
  }
  return name;
}

/**
 * Whether a typed address is the admin's in any letter case or Unicode disguise (ACCOUNT-2): every character outside ASCII
 * stands for any one character or none, so look-alikes and invisible characters all match, as typed or taken apart (NFKC).
 */
export function isReservedEmail(text: string, adminEmail: string): boolean {
  const wanted = adminEmail.toLowerCase();
  return ["NFC", "NFKC"].some((form) => looksLike(text.normalize(form).toLowerCase().trim(), wanted));
}

function looksLike(text: string, wanted: string): boolean {
  let reachable = new Set([0]);
  for (const character of [...text].slice(0, 512)) {
    const isDisguise = character > "~" || character < "!";
    const next = new Set<number>();
    for (const position of reachable) {
      if (isDisguise) next.add(position);
      if (position < wanted.length && (isDisguise || wanted[position] === character)) next.add(position + 1);
    }
    reachable = next;
  }
  return reachable.has(wanted.length);
}
