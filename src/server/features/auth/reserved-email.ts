import { domainToUnicode } from "node:url";
import unhomoglyph from "unhomoglyph";

/** More than an address can have; bounds the work for a hostile text. */
const maxCharacters = 512;

/** Look-alikes that the table of UTS 39 leaves out: small capitals, and the full stop of East Asian scripts. */
const moreLookAlikes = new Map(
  Array.from("ᴀʙᴄᴅᴇꜰɢʜɪᴊᴋʟᴍɴᴏᴘꞯʀꜱᴛᴜᴠᴡʏᴢ。", (letter, index) => [letter, "abcdefghijklmnopqrstuvwyz."[index]!]),
);

/**
 * Returns whether a typed address is the admin's, in any letter case or Unicode disguise (ACCOUNT-2). Whole addresses are compared, so
 * that a question can only confirm an address that somebody knows already. Plain ASCII is compared as it is; anything else by its
 * skeleton, in which look-alikes are equal (UTS 39, section 4).
 */
export function isReservedEmail(text: string, adminEmail: string): boolean {
  const typed = inUnicode([...text.trim()].slice(0, maxCharacters).join(""));
  const admin = inUnicode(adminEmail);
  if (/^[!-~]*$/.test(typed)) return typed.toLowerCase() === admin.toLowerCase();
  return skeleton(typed) === skeleton(admin) || canBeReadAs(typed, skeleton(admin));
}

/** Returns whether a text has the given skeleton when each character is read as itself or as its look-alike. Capital М looks like M, small м like no letter. */
function canBeReadAs(text: string, wanted: string): boolean {
  let ends = new Set([0]);
  for (const character of text.normalize("NFKD")) {
    // A character with a reading is never skipped; otherwise a row of such characters would match every address.
    const readings = [character, unhomoglyph(character)].map(skeleton).filter((reading) => reading !== "");
    if (readings.length === 0) continue;
    const starts = [...ends];
    ends = new Set(
      readings.flatMap((reading) =>
        starts.filter((start) => wanted.startsWith(reading, start)).map((start) => start + reading.length),
      ),
    );
  }
  return ends.has(wanted.length);
}

/** Returns an address with its domain decoded from punycode. */
function inUnicode(address: string): string {
  return address.replace(/(?<=@)[!-?A-~]*xn--[!-?A-~]*$/i, (domain) => domainToUnicode(domain) || domain);
}

/** Returns a text without accents, letter case and what an address cannot contain, its look-alikes replaced by one of each kind. */
function skeleton(text: string): string {
  const plain = text
    .normalize("NFKD")
    .replace(/[\p{M}\p{C}\p{Z}]/gu, "")
    .toLowerCase()
    .replace(/\P{ASCII}/gu, (character) => moreLookAlikes.get(character) ?? character);
  return unhomoglyph(plain)
    .normalize("NFKD")
    .toLowerCase()
    .replace(/[^a-z0-9.!#$%&'*+/=?^_`{|}~@-]/g, "");
}
