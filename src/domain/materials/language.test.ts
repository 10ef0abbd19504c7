import { expect, it } from "vitest";
import { languageName, languageOfFilename } from "./language.ts";

// FILE-13
it("names a language in itself, and by its tag where it has no name", () => {
  expect(["th", "en", "pt-BR"].map(languageName)).toEqual(["ไทย", "English", "português (Brasil)"]);
  expect(["qqz", "no language"].map(languageName)).toEqual(["qqz", "no language"]);
});

it.each([
  ["lesson-1.th.vtt", "th"],
  ["lesson_EN.srt", "en"],
  ["lesson-pt-br.vtt", "pt-BR"],
  ["lesson.zh-hant.srt", "zh-Hant"],
])("finds the language that the name of a file ends in: %s", (filename, language) =>
  expect(languageOfFilename(filename)).toBe(language),
);

it.each([
  "lesson.vtt",
  "th.vtt",
  "lesson th.vtt",
  "lesson.tha.vtt",
  "lesson.th.vtt.txt1",
  "lesson.th.v",
  "lesson.t1.vtt",
  "lesson.th-b.vtt",
  "lesson.th-12.vtt",
  "lesson.th.v1t",
  "lesson.th",
])("finds no language in %s", (filename) => expect(languageOfFilename(filename)).toBeUndefined());
