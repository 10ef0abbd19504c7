import { expect, it } from "vitest";
import * as z from "zod/mini";
import { coupons } from "./payments/coupons.ts";
import { id, line, optionalLine, pageQuery, paragraphs, plainText, priceInput } from "./fields.ts";
import { NewCaptions } from "./course/materials.ts";
import { NewVideo } from "./course/videos.ts";

type Schema = z.ZodMiniType;

/** Returns the parsed value, or the codes of what is wrong with the input. */
function parsed(schema: Schema, input: unknown): unknown {
  const { success, data, error } = z.safeParse(schema, input);
  return success ? data : { wrong: error.issues.map(({ message }) => message) };
}

it("an id is read in lower case", () => {
  expect(parsed(id, "0B7D6C1E-8F0A-4F7E-9D52-0D6D3A1C2B3F")).toBe("0b7d6c1e-8f0a-4f7e-9d52-0d6d3a1c2b3f");
});

it.each(["\u0000", "\u001f", "\n", "\u007f"])("a text on one line has no control character such as %j", (character) => {
  const wrong = { wrong: ["text_invisible"] };
  for (const schema of [plainText(20), optionalLine(20), line(20, "title_missing")]) {
    expect(parsed(schema, `a${character}b`)).toEqual(wrong);
  }
  expect(parsed(paragraphs(20, "title_missing"), `a${character}b`)).toBe(`a${character}b`);
});

it("a text that is too long is refused as such", () => {
  const wrong = { wrong: ["text_too_long"] };
  expect([parsed(plainText(3), "abcd"), parsed(optionalLine(3), "abcd")]).toEqual([wrong, wrong]);
});

it("a text on one line may have any other character", () => {
  expect(parsed(plainText(20), " ~ é สม 😀 ")).toBe(" ~ é สม 😀 ");
});

it("a typed text is trimmed, and may be empty only where it is optional", () => {
  expect([parsed(optionalLine(3), " abc "), parsed(optionalLine(3), "  ")]).toEqual(["abc", ""]);
  for (const schema of [line(3, "title_missing"), paragraphs(3, "title_missing")]) {
    expect([parsed(schema, " abc "), parsed(schema, "  ")]).toEqual(["abc", { wrong: ["title_missing"] }]);
    expect(parsed(schema, "abcd")).toEqual({ wrong: ["text_too_long"] });
  }
});

it("a price is trimmed and checked", () => {
  expect([parsed(priceInput, " 45000.5 "), parsed(priceInput, "0")]).toEqual(["45000.5", { wrong: ["price_invalid"] }]);
});

it("a page has 1 to 100 rows, also as the text of a query", () => {
  const limits = ["1", "100", 50].map((limit) => parsed(pageQuery.limit, limit));
  expect(limits).toEqual([1, 100, 50]);
  for (const limit of ["0", "101", "1.5", "x"]) expect(parsed(pageQuery.limit, limit)).toHaveProperty("wrong");
});

it("a coupon has an upper-case code and percents from 0 to 100", () => {
  const create = coupons.create["~orpc"].inputSchema as Schema;
  const coupon = { code: "A-Z_09", discount_starter: "0", discount_advanced: "100" };
  const noLimits = { packages: "both", starts_at: null, ends_at: null, max_uses: null };
  const whole = { ...coupon, active: true, ...noLimits };
  expect(parsed(create, { ...coupon, code: " A-Z_09 ", discount_starter: " 0 " })).toEqual(whole);
  for (const code of ["", "lunch", "LUNCH TIME", "É", "A".repeat(41), "A\nB"]) {
    expect(parsed(create, { ...coupon, code })).toEqual({ wrong: ["coupon_code_invalid"] });
  }
  expect(parsed(create, { ...coupon, discount_advanced: "100.01" })).toEqual({ wrong: ["percent_invalid"] });
});

const video = { title: "T", description: "D", module: "M", order_index: 1, package_type: "both" };

it("a video needs a title, a description and a module", () => {
  for (const [field, code] of [
    ["title", "title_missing"],
    ["description", "description_missing"],
    ["module", "module_missing"],
  ] as const) {
    expect(parsed(NewVideo, { ...video, [field]: " " })).toEqual({ wrong: [code] });
  }
});

it.each([
  ["https://films.example/x", true],
  ["http://films.example/x", true],
  ["HTTPS://films.example/x", true],
  ["https:films.example/x", false],
  ["http:/films.example/x", false],
  ["ftp://films.example/x", false],
  ["xhttp://films.example/x", false],
  ["httpss://films.example/x", false],
  ["javascript:alert(1)", false],
  ["/films/x", false],
  [`https://films.example/${"x".repeat(2000)}`, false],
])("a film may be at %s: %s", (video_url, isTaken) => {
  const input = { ...video, video_url };
  expect(parsed(NewVideo, input)).toEqual(isTaken ? input : { wrong: ["video_url_invalid"] });
});

it("an empty address of a film is none", () => {
  expect(parsed(NewVideo, { ...video, video_url: "" })).toEqual({ ...video, video_url: null });
});

it("reads a language in its canonical form, and refuses what is none", () => {
  const { language } = NewCaptions.shape;
  const longest = `en-x-${"abcdefgh-".repeat(3)}abc`;
  expect(["EN-us", "th", longest].map((tag) => parsed(language, tag))).toEqual(["en-US", "th", longest]);
  for (const tag of ["english language", "", `${longest}d`])
    expect(parsed(language, tag)).toEqual({ wrong: ["language_invalid"] });
});
