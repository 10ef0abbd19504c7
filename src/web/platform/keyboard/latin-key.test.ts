import { expect, test } from "vitest";
import { latinKey } from "./latin-key.ts";

const pressed = (key: string, code: string, shiftKey = false): string => latinKey({ key, code, shiftKey });

// WATCH-7, REVIEW-2
test.each([
  ["a Thai letter", pressed("า", "KeyK"), "k"],
  ["a Thai vowel above a letter", pressed("ึ", "Digit7"), "7"],
  ["a Cyrillic letter", pressed("ф", "KeyA"), "a"],
  ["a Greek letter with shift", pressed("Ρ", "KeyR", true), "R"],
  ["a Thai letter with shift in the place of <", pressed("ฒ", "Comma", true), "<"],
  ["a Russian letter with shift in the place of >", pressed("Ю", "Period", true), ">"],
])("%s counts as what its place types on a Latin keyboard", (_what, key, expected) => {
  expect(key).toBe(expected);
});

test.each([
  ["a sign of the Thai layout", pressed("-", "Digit3"), "3"],
  ["a French letter", pressed("à", "Digit0"), "0"],
])("%s in the row of digits counts as its digit", (_what, key, expected) => {
  expect(key).toBe(expected);
});

test("what a Latin layout types stays, wherever it is on the keyboard", () => {
  expect([pressed("a", "KeyQ"), pressed("Z", "KeyY", true), pressed("?", "KeyM", true), pressed("1", "Digit1", true)]).toEqual([
    "a",
    "Z",
    "?",
    "1",
  ]);
  expect([pressed("µ", "KeyM"), pressed("ą", "KeyA"), pressed("€", "KeyE"), pressed("@", "Digit2", true)]).toEqual([
    "µ",
    "ą",
    "€",
    "@",
  ]);
});

test("keys without a character, and places without a meaning, stay what they are", () => {
  expect([pressed("ArrowLeft", "ArrowLeft"), pressed(" ", "Space"), pressed("Process", "KeyK")]).toEqual([
    "ArrowLeft",
    " ",
    "Process",
  ]);
  expect([pressed("ว", "Semicolon"), pressed("๓", "Digit4", true)]).toEqual(["ว", "๓"]);
});
