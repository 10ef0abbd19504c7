import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { isReservedEmail } from "./reserved-email.ts";

const admin = "kim.admin@example.com";

describe("the admin's address is reserved", () => {
  it.each([
    ["as it is", "kim.admin@example.com"],
    ["in capitals", "KIM.ADMIN@EXAMPLE.COM"],
    ["between blanks", "  kim.admin@example.com\t"],
    ["in fullwidth letters", "ｋｉｍ．ａｄｍｉｎ＠ｅｘａｍｐｌｅ．ｃｏｍ"],
    ["with fullwidth capitals", "ＫＩＭ.ADMIN@example.com"],
    ["with a Cyrillic а", "kim.\u0430dmin@example.com"],
    ["with Cyrillic а, е, о and р", "kim.\u0430dmin@\u0435xam\u0440l\u0435.c\u043Em"],
    ["with a Greek ο", "kim.admin@example.c\u03BFm"],
    ["with a zero width space", "kim.\u200Badmin@example.com"],
    ["with a zero width joiner at each letter", Array.from("kim.admin@example.com").join("\u200D")],
    ["behind a byte order mark", "\uFEFFkim.admin@example.com"],
    ["behind 100 zero width spaces", "\u200B".repeat(100) + "kim.admin@example.com"],
    ["with a soft hyphen", "kim.ad\u00ADmin@example.com"],
    ["with a combining accent", "kim.a\u0301dmin@example.com"],
    ["with three combining accents", "kim.a\u0301\u0300\u0308dmin@example.com"],
    ["with a combining overlay that composes with nothing", "kim.ad\u0336min@example.com"],
    ["with a composed á", "kim.\u00E1dmin@example.com"],
    ["with İ", "K\u0130M.ADM\u0130N@example.com"],
    ["with a dotless ı", "k\u0131m.adm\u0131n@example.com"],
    ["with the Kelvin sign", "\u212Aim.admin@example.com"],
    ["in mathematical bold", "𝐤𝐢𝐦.𝐚𝐝𝐦𝐢𝐧@example.com"],
    ["in mathematical script and fraktur", "𝓀𝒾𝓂.𝔞𝔡𝔪𝔦𝔫@example.com"],
    ["in double-struck capitals", "𝕂𝕀𝕄.𝔸𝔻𝕄𝕀ℕ@example.com"],
    ["in circled letters", "ⓚⓘⓜ.ⓐⓓⓜⓘⓝ@example.com"],
    ["with small capitals", "ᴋɪᴍ.ᴀᴅᴍɪɴ@example.com"],
    ["with a Cyrillic capital М", "KIM.AD\u041CIN@EXAMPLE.COM"],
    ["with a Cyrillic capital М among small letters", "kim.ad\u041Cin@example.com"],
    ["with a Greek capital Μ", "KIM.AD\u039CIN@EXAMPLE.COM"],
    ["with a Greek capital Ε", "KIM.ADMIN@\u0395XAMPLE.COM"],
    ["with a Greek capital Χ", "KIM.ADMIN@E\u03A7AMPLE.COM"],
    ["with a Greek capital Ν, whose small form looks like v", "KIM.ADMI\u039D@EXAMPLE.COM"],
    ["with a Cherokee Ꮲ", "kim.admin@exam\u13E2le.com"],
    ["with a Cyrillic capital І, which also looks like l", "KIM.ADM\u0406N@EXAMPLE.COM"],
    ["with a Cyrillic palochka for l", "kim.admin@examp\u04C0e.com"],
    ["with Cyrillic capitals М and І", "KIM.AD\u041C\u0406N@EXAMPLE.COM"],
    ["with a Roman numeral for m", "kim.ad\u217Fin@example.com"],
    ["with a parenthesised letter", "kim.\u249Cdmin@example.com"],
    ["with another full stop", "kim\u3002admin@example\uFF61com"],
    ["with a direction mark", "kim.admin@\u202Eexample.com"],
    ["with a tag character", "kim.admin\u{E0061}@example.com"],
    ["with a NUL", "kim.admin\u0000@example.com"],
    ["with a Cyrillic а in the ASCII form of its domain", "kim.admin@xn--exmple-4nf.com"],
    ["with such a domain in capitals", "KIM.ADMIN@XN--EXMPLE-4NF.COM"],
    ["with such a domain and a Cyrillic а before it", "kim.\u0430dmin@xn--exmple-4nf.com"],
    ["with a line break inside", "kim.admin\n@example.com"],
  ])("%s", (_how, typed) => expect(isReservedEmail(typed, admin)).toBe(true));

  it("refuses the admin's address whatever letter case ADMIN_EMAIL has", () =>
    expect(isReservedEmail("kim.admin@example.com", "Kim.Admin@Example.com")).toBe(true));

  it("refuses the admin's address where its domain is not ASCII", () => {
    expect(isReservedEmail("kim@xn--mnchen-3ya.de", "kim@xn--mnchen-3ya.de")).toBe(true);
    expect(isReservedEmail("kim@münchen.de", "kim@xn--mnchen-3ya.de")).toBe(true);
    expect(isReservedEmail("kim@munchen.de", "kim@xn--mnchen-3ya.de")).toBe(false);
  });

  it("refuses a ligature in place of three letters of the admin's address", () =>
    expect(isReservedEmail("o\uFB03ce@example.com", "office@example.com")).toBe(true));

  it("refuses the admin's address in any letter case, width or with invisible letters", () => {
    const fullwidth = (letter: string): string => String.fromCodePoint(letter.codePointAt(0)! + 0xfee0);
    const disguises = fc.constantFrom<(letter: string) => string>(
      (letter) => letter,
      (letter) => letter.toUpperCase(),
      fullwidth,
      (letter) => `${letter}\u200B`,
      (letter) => `\u2060${letter}`,
      (letter) => `${letter}\u0332`,
    );
    fc.assert(
      fc.property(fc.array(disguises, { minLength: admin.length, maxLength: admin.length }), (dress) => {
        expect(isReservedEmail(Array.from(admin, (letter, index) => dress[index]!(letter)).join(""), admin)).toBe(true);
      }),
    );
  });
});

describe("another address is free", () => {
  it.each([
    "",
    "kim@example.com",
    "admin@example.com",
    "kim.admin@example.co",
    "kim.admin@example.com.th",
    "kim.admin@example.org",
    "kimadmin@example.com",
    "kim_admin@example.com",
    "kim.admin2@example.com",
    "kim.admin+course@example.com",
    "xkim.admin@example.com",
    "kim.admim@example.com",
    "jürgen@example.com",
    "สมชาย@example.com",
    "søren.ådmin@example.com",
    "kim.admin@exämple.org",
    "kim.admin@xn--exmple-cua.org",
    "kim.admin@xn--zzzz--",
    "kim.admin@",
  ])("%j", (typed) => expect(isReservedEmail(typed, admin)).toBe(false));

  it("accepts every plain address other than the admin's", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        fc.pre(address.toLowerCase() !== admin);
        expect(isReservedEmail(address, admin)).toBe(false);
      }),
    );
  });
});

describe("guessing the admin's address", () => {
  const unlike = fc.constantFrom("ก", "中", "Ж", "ש", "あ", "\u2603", "😀");

  it("does not reveal the admin's address to characters outside ASCII", () => {
    const positions = fc.uniqueArray(fc.nat(admin.length - 1), { minLength: 1 });
    fc.assert(
      fc.property(positions, unlike, (replaced, letter) => {
        const question = Array.from(admin, (own, index) => (replaced.includes(index) ? letter : own)).join("");
        expect(isReservedEmail(question, admin)).toBe(false);
      }),
    );
  });

  it("does not reveal the admin's address to letters that could each be nothing", () => {
    // The small form of each of these capitals is like no letter.
    const capitals =
      "\u13AA\u0412\u13A0\u0395\u13D2\u041D\u2C92\u13AB\u041A\u13DE\u041C\u13B7\u019D\u13E2\u13A1\u13D5\u0422\u0244\u13D4\u03A7\u13A9\u0396";
    expect(isReservedEmail(`${capitals.repeat(20)}@example.com`, "mark@example.com")).toBe(false);
  });

  it("does not reveal the admin's address to a prefix or suffix of it", () => {
    const invisible = fc.constantFrom("\u200B", "\u00AD", "\u0301", "\uFEFF", "\u{E0061}");
    fc.assert(
      fc.property(fc.integer({ min: 1, max: admin.length - 1 }), invisible, fc.nat(40), (cut, mark, times) => {
        expect(isReservedEmail(admin.slice(0, cut) + mark.repeat(times + 1), admin)).toBe(false);
        expect(isReservedEmail(mark.repeat(times + 1) + admin.slice(cut), admin)).toBe(false);
      }),
    );
  });
});

it("compares only the first 512 characters of an address", () => {
  const disguised = `${"\u200B".repeat(512 - admin.length)}${admin}`;
  expect(isReservedEmail(`${disguised}${"x".repeat(20_000)}`, admin)).toBe(true);
  expect(isReservedEmail(`\u200B${disguised.slice(0, -1)}x`, admin)).toBe(false);
});
