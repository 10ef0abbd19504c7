// Over 250 lines: what is a tag and what are words, file by file and for any text.
import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { ProductError } from "../errors/messages.ts";
import { parseCaptions } from "./srt.ts";
import { maxCues, parseWebVtt, writeWebVtt, type Cue } from "./webvtt.ts";

const thrownBy = (file: string): string => {
  try {
    parseCaptions(file);
    return "nothing";
  } catch (error) {
    return error instanceof ProductError ? `${error.code}: ${error.message}` : String(error);
  }
};

// FILE-13
describe("a WebVTT file", () => {
  it("reads a WebVTT file with cues, settings and tags, for any line ends", () => {
    const lines = [
      "\ufeffWEBVTT - a title",
      "Kind: captions",
      "",
      "STYLE",
      "::cue { background: url(https://evil.example) }",
      "",
      "NOTE a note",
      "of two lines",
      "",
      "first",
      "00:01.000 --> 00:00:02.500 line:10% region:fred align:start",
      "<v Anna>Hello <b.loud>there</b> <i>now</i>",
      "<img src=x onerror=alert(1)>",
      "- Hi",
      "",
      "",
      "10:00:00.000\t-->\t10:00:00.001",
    ];
    const cues: Cue[] = [
      {
        startMs: 1000,
        endMs: 2500,
        settings: "line:10% align:start",
        text: "<v Anna>Hello <b.loud>there</b> <i>now</i>\n- Hi",
      },
      { startMs: 36_000_000, endMs: 36_000_001, settings: "", text: "" },
    ];
    for (const end of ["\n", "\r\n", "\r"]) expect(parseWebVtt(lines.join(end))).toEqual(cues);
  });

  it.each([
    ["", "captions_line_signature: Line 1: "],
    ["WEBVTTX\n\n00:01.000 --> 00:02.000\nHi", "captions_line_signature: Line 1: "],
    [" WEBVTT\n\n00:01.000 --> 00:02.000\nHi", "captions_line_signature: Line 1: "],
    ["webvtt\n\n00:01.000 --> 00:02.000\nHi", "captions_line_signature: Line 1: "],
    ["WEBVTT\n\n", "captions_empty: "],
    ["WEBVTT\n\n00:01.000 -> 00:02.000\nHi", "captions_line_time: Line 4: "],
    ["WEBVTT\n\n1\n00:01,000 --> 00:02,000\nHi", "captions_line_time: Line 4: "],
    ["WEBVTT\n\n00:61.000 --> 01:02.000\nHi", "captions_line_time: Line 3: "],
    ["WEBVTT\n\n100:00:00.000 --> 100:00:01.000\nHi", "captions_line_time: Line 3: "],
    ["WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n\nlost text", "captions_line_time: Line 6: "],
    ["WEBVTT\n\n00:02.000 --> 00:02.000\nHi", "captions_line_end: Line 3: "],
    ["WEBVTT\n\n00:02.000 --> 00:03.000\nHi\n\n00:01.999 --> 00:03.000\nHo", "captions_line_order: Line 6: "],
    ["WEBVTT\n\n00:01.000 --> 00:02.000\nHi\n00:02.000 --> 00:03.000\nHo", "captions_line_gap: Line 5: "],
    ["1\n00:00:02,000 --> 00:00:01,000\nHi", "captions_line_end: Line 2: "],
    ["1\n00:00:02,000 --> 00:00:03,000\nHi\n\n2\n00:00:04,000\nHo", "captions_line_time: Line 6: "],
    ["\n1\n00:00:61,000 --> 00:01:02,000\nHi", "captions_line_time: Line 3: "],
    ["1\n00:00:01,000 --> 00:00:02,000x\nHi", "captions_line_time: Line 2: "],
    ["1\n00:00:01,000 --> 00:00:02,000 X3:1\nHi", "captions_line_time: Line 2: "],
    ["1\n 00:01,000 --> 00:02,000\nHi", "captions_line_time: Line 2: "],
    ["1\n00:00:01 --> 00:00:02\nHi", "captions_line_time: Line 2: "],
    ["1\n00:01.000 --> 00:02.000\nHi", "captions_line_signature: Line 1: "],
    ["1\n00:00:02,000\nHi --> Ho", "captions_line_signature: Line 1: "],
    ["<!-- 00:00:02,000 -->", "captions_line_signature: Line 1: "],
  ])("refuses a WebVTT file: %j", (file, error) => expect(thrownBy(file)).toMatch(new RegExp(`^${error}`)));

  it("reads the first cue also where no empty line stands before it", () => {
    const second = "00:03.000 --> 00:04.000\nHo";
    for (const header of ["WEBVTT", "WEBVTT a --> b", "WEBVTT\nKind: captions", "WEBVTT\n1"])
      expect(parseWebVtt(`${header}\n00:01.000 --> 00:02.000\nHi\n\n${second}`).map(({ text }) => text)).toEqual(["Hi", "Ho"]);
    expect(thrownBy("WEBVTT\n00:01,000 --> 00:02,000\nHi")).toMatch(/^captions_line_time: Line 2: /);
  });

  it("takes a cue whose name has a word of the other blocks", () => {
    for (const name of ["my NOTE", "NOTES", "STYLEs of Ann"])
      expect(parseWebVtt(`WEBVTT\n\n${name}\n00:01.000 --> 00:02.000\nHi`)).toHaveLength(1);
  });

  it("leaves no arrow and no blank line where it left out a tag", () => {
    const lines = ["WEBVTT", "", "00:01.000 --> 00:02.000 line:1  size:50%", "up --<x>> down", "<x> ", "Hi"];
    expect(parseWebVtt(lines.join("\n"))).toEqual([
      { startMs: 1000, endMs: 2000, settings: "line:1 size:50%", text: "up --&gt; down\nHi" },
    ]);
  });

  it.each([
    ["When RSI < 30, buy.\nWhen RSI > 70, sell.", "When RSI &lt; 30, buy.\nWhen RSI > 70, sell."],
    ["Risk <2%, <3 you", "Risk &lt;2%, &lt;3 you"],
    ["cut off <b", "cut off &lt;b"],
    ["<font color=red>EMA<b> 9 < 21</b></font>", "EMA<b> 9 &lt; 21</b>"],
    ["<00:01.500>now <00:00:01.700>then &lt; <1:2>", "now then &lt; &lt;1:2>"],
    ["Sell when EMA9<EMA21 and RSI>70.", "Sell when EMA9&lt;EMA21 and RSI>70."],
    ["if a<b and c>d,\nif a<b\nor c>d", "if a&lt;b and c>d,\nif a&lt;b\nor c>d"],
    ["<v.loud Ann Lee><c.a.b>Ask</c><i.x > <a@b.c></v>", "<v.loud Ann Lee><c.a.b>Ask</c><i.x > &lt;a@b.c></v>"],
    [`<font color="#f00" size=3>A</FONT><br/><SPAN\tlang='th'>B`, "AB"],
    ["a<price.close and b>c, <v Ann\nLee>", "a&lt;price.close and b>c, &lt;v Ann\nLee>"],
  ])("keeps the words around a sign that begins no tag: %j", (words, kept) => {
    expect(parseCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`)[0]?.text).toBe(kept);
    expect(parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n${words}`)[0]?.text).toBe(kept);
  });

  it("finds a SubRip file by the times after the first number", () => {
    const times = "00:00:01,000 --> 00:00:02,000\nA";
    expect(parseCaptions(times.replace("-->", " \t--> \t"))).toHaveLength(1);
    for (const start of ["  \n1\n", " 10 \n", ""]) expect(parseCaptions(start + times)).toHaveLength(1);
    for (const start of ["a1\n", "1a\n"]) expect(thrownBy(start + times)).toMatch(/^captions_line_signature/);
  });

  it("leaves out codes for place and style in a SubRip file, and no other braces", () => {
    const words = "{\\an8}{\\i1}Entries{\\i0} at {1.08} and \\{}";
    expect(parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n${words}`)[0]?.text).toBe("Entries at {1.08} and \\{}");
    expect(parseCaptions(`1\n00:00:01,000 --> 00:00:02,000\n{\\an8}\nOne\n{\\i1}\nTwo`)[0]?.text).toBe("One\nTwo");
    expect(parseCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`)[0]?.text).toBe(words);
  });

  it("reads a SubRip file with a byte order mark and stray blank lines", () => {
    const file = "\ufeff\n1\n00:00:01,000 --> 00:00:02,000\nA\n  \n2\n00:00:03,000 --> 00:00:04,000\nB\ufeffC\n";
    expect(parseCaptions(file)).toEqual([
      { startMs: 1000, endMs: 2000, settings: "", text: "A" },
      { startMs: 3000, endMs: 4000, settings: "", text: "B\ufeffC" },
    ]);
    expect(parseCaptions(file.slice(1)).at(-1)?.text).toBe("B\ufeffC");
    expect(parseCaptions(file.replaceAll(",000\n", ",000 \t\n"))).toHaveLength(2);
    expect(thrownBy("1\nx00:00:01,000 --> 00:00:02,000\nA")).toMatch(/^captions_line_signature/);
  });

  it("takes times of a SubRip file with coordinates, or without blanks at the arrow", () => {
    const coordinates = "00:00:01,000 --> 00:00:02,000  X1:10 X2:20\tY1:003 Y2:4 ";
    for (const line of [coordinates, "00:00:01,000-->00:00:02,000", "0:00:01.000--> 0:00:02.000 X1:10"])
      for (const before of ["", "1\n00:00:00,000 --> 00:00:01,000\nA\n\n2\n"])
        expect(parseCaptions(`${before}${line}\nB`).at(-1)).toEqual({ startMs: 1000, endMs: 2000, settings: "", text: "B" });
  });

  it("writes a WebVTT file with the settings of its cues, a blank line between two", () => {
    const all: Cue[] = [
      { startMs: 1000, endMs: 2500, settings: "line:-1", text: "Hello" },
      { startMs: 36_000_000, endMs: 36_000_001, settings: "", text: "" },
    ];
    const written = "WEBVTT\n\n00:00:01.000 --> 00:00:02.500 line:-1\nHello\n\n10:00:00.000 --> 10:00:00.001\n";
    expect(writeWebVtt(all)).toBe(written);
  });

  it("accepts a WebVTT file with the most cues allowed, and not one more", () => {
    expect(maxCues).toBe(20_000);
    const file = (count: number): string => `WEBVTT\n${"\n00:01.000 --> 00:02.000\nHi\n".repeat(count)}`;
    expect(parseWebVtt(file(maxCues))).toHaveLength(maxCues);
    expect(thrownBy(file(maxCues + 1))).toMatch(/^captions_too_many/);
  });
});

const tags = fc.constantFrom(
  "<b>",
  "</b>",
  "<v Ann>",
  "<v Ann",
  "<b x=y",
  "<c.red>",
  "<script>",
  "<",
  ">",
  "-->",
  "--",
  "\n",
  " ",
  "x",
  "<00:01.000>",
  "ก",
);
const text = fc.array(fc.oneof(tags, fc.string({ unit: "binary", maxLength: 4 }))).map((parts) => parts.join(""));
const setting = fc.constantFrom("", "line:-1", "position:50%,center", "size:80% align:end", "line:0 onclick:x", "vertical:rl");
const cue = fc
  .record({ startMs: fc.nat(3_599_999), length: fc.integer({ min: 1, max: 100_000 }), settings: setting, text })
  .map(({ length, ...rest }) => ({ ...rest, endMs: rest.startMs + length }));
const cues = fc.array(cue, { minLength: 1, maxLength: 20 }).map((all) => all.toSorted((a, b) => a.startMs - b.startMs));

/** A file as a careless program writes it. */
const careless = (all: readonly Cue[]): string =>
  `WEBVTT\n\n${all.map((one) => writeWebVtt([one]).slice("WEBVTT\n\n".length)).join("\n")}`;

const accepted = (file: string): Cue[] | undefined => {
  try {
    return parseCaptions(file);
  } catch (error) {
    expect(error).toBeInstanceOf(ProductError);
    return undefined;
  }
};

describe("the check of captions", () => {
  it("returns ascending cues that read back unchanged, or refuses captions by a code", () => {
    fc.assert(
      fc.property(
        fc.oneof(
          cues.map(careless),
          fc.string({ unit: "binary" }),
          text.map((more) => `WEBVTT\n\n${more}`),
        ),
        (file) => {
          const found = accepted(file);
          if (found === undefined) return;
          expect(parseWebVtt(writeWebVtt(found))).toEqual(found);
          for (const [index, { startMs, endMs }] of found.entries()) {
            expect(endMs).toBeGreaterThan(startMs);
            expect(startMs).toBeGreaterThanOrEqual(found[index - 1]?.startMs ?? 0);
          }
        },
      ),
      { numRuns: 2000 },
    );
  });

  it("removes every tag but those of WebVTT from captions", () => {
    fc.assert(
      fc.property(cues, (all) => {
        for (const { text: kept } of accepted(careless(all)) ?? []) {
          expect(kept.replace(/<\/?(?:c|i|b|u|ruby|rt|v|lang)(?:[.\s][^<>]*)?>/g, "")).not.toContain("<");
        }
      }),
      { numRuns: 1000 },
    );
  });

  it("accepts every well-formed caption file with its times and words", () => {
    const words = fc.array(fc.constantFrom("Hello", "สวัสดี", "a & b"), { minLength: 1 }).map((all) => all.join(" "));
    const wellFormed = fc
      .array(fc.tuple(cue, words), { minLength: 1 })
      .map((all) =>
        all.map(([one, plain]) => ({ ...one, settings: "", text: plain })).toSorted((a, b) => a.startMs - b.startMs),
      );
    fc.assert(
      fc.property(wellFormed, (all) => {
        expect(parseWebVtt(writeWebVtt(all))).toEqual(all);
      }),
    );
  });

  it("keeps every word of captions that compare values", () => {
    const value = fc.constantFrom("EMA9", "b", "i", "c", "70", "ราคา", "ATR(14)", "2%");
    const sign = fc.constantFrom("<", ">", "<=", ">=", "=", " < ", " > ", "< ", " <");
    const comparison = fc.tuple(value, sign, value).map((parts) => parts.join(""));
    const joint = fc.constantFrom(" and ", ", ", "\n", " ", " & ");
    const sentence = fc
      .array(fc.tuple(comparison, joint), { minLength: 1, maxLength: 6 })
      .map((all) => all.flat().slice(0, -1).join(""));
    fc.assert(
      fc.property(sentence, (words) => {
        const kept = parseCaptions(`WEBVTT\n\n00:01.000 --> 00:02.000\n${words}`)[0]!.text;
        expect(kept.replaceAll("&lt;", "<").replaceAll("&gt;", ">")).toBe(words);
        expect(kept).not.toContain("<");
      }),
      { numRuns: 1000 },
    );
  });

  it("checks 1 MB of captions that would slow down a backtracking expression", () => {
    for (const unit of ["<", "<b", "00:", "\n", " ", "a\n\n", "-->", "<v ", " a=b", "<a a=b"]) {
      accepted(`WEBVTT\n\n00:01.000 --> 00:02.000\n<a${unit.repeat(1024 ** 2 / unit.length)}`);
      accepted(`WEBVTT\n\n00:01.000${unit.repeat(1024 ** 2 / unit.length)}`);
    }
    for (const unit of [" ", "1", "00:", "-->", " X1:1"]) {
      const more = unit.repeat(1024 ** 2 / unit.length);
      for (const line of [`${more}:01 --> `, `00:00:01,000${more} --> `, `00:00:01,000 --> 00:00:02,000${more}`])
        accepted(line);
    }
  });
});
