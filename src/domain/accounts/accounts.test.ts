import fc from "fast-check";
import { describe, expect, it } from "vitest";
import {
  breakLinks,
  linkFreeName,
  maxFullNameLength,
  maxPasswordLength,
  minPasswordLength,
  normaliseEmail,
  normaliseFullName,
  weakPasswordReasons,
} from "./accounts.ts";

// ACCOUNT-4
it("takes names of 100 characters, and passwords of 8 to 256", () => {
  expect([maxFullNameLength, minPasswordLength, maxPasswordLength]).toEqual([100, 8, 256]);
});

/** 254 characters (RFC 5321, section 4.5.3.1.3, without its brackets). */
const longest = `a@${"bcd.".repeat(62)}comm`;

describe("an e-mail address", () => {
  it.each([
    ["somchai@example.com", "somchai@example.com"],
    ["  Somchai@Example.COM\n", "somchai@example.com"],
    ["first.last+course@mail.example.co.th", "first.last+course@mail.example.co.th"],
    ["o'brien@example.com", "o'brien@example.com"],
    ["a@b", "a@b"],
    [longest, longest],
  ])("%j is stored as %s", (typed, stored) => expect(normaliseEmail(typed)).toBe(stored));

  it.each([
    "",
    "somchai",
    "@example.com",
    "somchai@",
    "a@b@c.com",
    "a b@example.com",
    "a@-example.com",
    "a@example-.com",
    "a@example..com",
    "a@.com",
    `${"a".repeat(65)}@example.com`,
    `a@${"b".repeat(64)}.com`,
    `b${longest}`,
    `a@${"bcd.".repeat(70)}com`,
    "สมชาย@example.com",
    "a@exämple.com",
    "a\u0000@example.com",
    "a@example.com\r\nBcc: other@example.com",
    '"a b"@example.com',
  ])("%j is refused", (typed) => expect(() => normaliseEmail(typed)).toThrow("Please enter a valid email address."));

  it("does not lower-case the Kelvin sign to k", () => {
    expect(() => normaliseEmail("\u212Aim@example.com")).toThrow("Please enter a valid email address.");
  });

  it("normalises an address to the same text twice", () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const stored = normaliseEmail(address);
        expect(normaliseEmail(stored)).toBe(stored);
        expect(normaliseEmail(` ${address.toUpperCase()} `)).toBe(stored);
      }),
    );
  });

  it("refuses a long malformed address without backtracking", () => {
    for (const hostile of [
      "a".repeat(1e6),
      `a@${"a-".repeat(5e5)}`,
      `a@${"a.".repeat(127)}!`,
      `${".".repeat(64)}@${"a".repeat(200)}`,
    ]) {
      // A pattern that backtracks would not end within the test runner's time.
      expect(() => normaliseEmail(hostile)).toThrow("valid");
    }
  });
});

const refused =
  "Please use at most 100 characters for your name, at least one of them a letter or a digit, and none of them invisible.";

describe("a full name", () => {
  it.each([
    ["  Somchai Jaidee ", "Somchai Jaidee"],
    ["สมชาย ใจดี", "สมชาย ใจดี"],
    ["Zoë O’Neill-Łuć", "Zoë O’Neill-Łuć"],
    ["Nguye\u0302\u0303n", "Nguy\u1ec5n"],
    ["n".repeat(maxFullNameLength), "n".repeat(maxFullNameLength)],
  ])("%j is stored as %s", (typed, stored) => expect(normaliseFullName(typed)).toBe(stored));

  it.each(["", "   ", "\n"])("is missing as %j", (typed) => {
    expect(() => normaliseFullName(typed)).toThrow("Please enter your full name.");
  });

  it.each(["a\nb", "a\u0000b", "a\u202Eb", "a\u2066b", "n".repeat(maxFullNameLength + 1)])("is refused as %j", (typed) => {
    expect(() => normaliseFullName(typed)).toThrow(refused);
  });
});

// ACCOUNT-11.
describe("a name without a visible letter or digit", () => {
  it.each([
    ["zero-width spaces", "\u200B\u200B"],
    ["a soft hyphen", "\u00AD"],
    ["the Hangul filler", "\u3164"],
    ["the half-width Hangul filler", "\uFFA0"],
    ["the blank Braille pattern", "\u2800"],
    ["accents on nothing", "\u0301\u0308"],
    ["a variation selector", "\uFE0F"],
    ["tags", "\u{E0041}\u{E0042}"],
    ["signs alone", "---"],
    ["full stops alone", "..."],
  ])("refuses a name made of %s", (_what, typed) => {
    expect(() => normaliseFullName(typed)).toThrow(refused);
  });

  it.each(["ศรี", "नमस्\u200Dते", "李", "O", "3"])("is not %j", (typed) => expect(normaliseFullName(typed)).toBe(typed));
});

describe("a name in a mail", () => {
  it.each([
    "Somchai Jaidee",
    "Zoë O’Neill-Łuć",
    "Martin Luther King Jr.",
    "Dr. Ann, M. D.",
    "สมชาย ใจดี",
    "Ann 123456",
    "Ann ๑๒ (3456)",
  ])("is %s as it is", (name) => {
    expect(linkFreeName(name, "A student")).toBe(name);
  });

  it.each([
    "Verify at evil.example",
    "www.evil.example",
    "https://evil.example/pay",
    "https:evil",
    "ann@evil.example",
    "evil。example",
    "evil．example",
    "evil․example",
    "evil｡example",
    "see evil/now",
    "\\\\evil\\share",
    "tel：123",
    "Call +1 800 555 0199 now",
    "1234567",
    "Ann 555-01-99",
    "call 5 5 5 o 0 1 9 9",
    "โทร ๐๘๑๒๓๔๕๖๗๘",
    "８００５５５０",
    "⑧⓪⓪⑤⑤⑤⓪",
  ])("is left out as %j", (name) => expect(linkFreeName(name, "A student")).toBe("A student"));
});

describe("a password", () => {
  it.each(["a fine long password", "abcabcab", "Tr4d3r!x", "กขคงจฉชซ", "correct horse battery", "😀😁😂🤣".repeat(2)])(
    "%j is good enough",
    (password) => {
      expect(weakPasswordReasons(password)).toEqual([]);
    },
  );

  it.each([
    ["", ["length", "characters"]],
    ["short1!", ["length"]],
    ["😀😁😂🤣", ["length"]],
    ["e\u0301a\u0301o\u0301u\u0301", ["length"]],
    ["aaaaaaaa", ["characters"]],
    ["abababab", ["characters"]],
    ["11111111", ["characters"]],
    // An accent as a mark of its own is part of its letter.
    ["e\u0301a\u0300".repeat(4), ["characters"]],
  ])("%j is weak: %j", (password, reasons) => expect(weakPasswordReasons(password)).toEqual(reasons));
});

it("breaks whatever a mail program could make a link of", () => {
  expect(breakLinks("see https://evil.example/undo, me@evil.example")).toBe(
    "see https: / / evil. example/ undo, me@ evil. example",
  );
  expect(breakLinks("evil\uff0eexample \u3002 x")).toBe("evil\uff0e example \u3002 x");
  expect(breakLinks("Pipwright Co. 012-3-45678-9")).toBe("Pipwright Co. 012-3-45678-9");
});
