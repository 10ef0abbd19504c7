import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { parseCsv } from "../../../tests/support/database/csv.ts";
import { csvLine, csvOf, inBatches, type CsvTable } from "./csv.ts";

const textOf = async (table: CsvTable): Promise<string> => {
  let text = "";
  for await (const piece of csvOf(table)) text += piece;
  return text;
};

// EXPORT-2.
describe("CSV", () => {
  it("begins with a byte order mark and ends each line with CR and LF", async () => {
    const table = inBatches<number>(
      () => Promise.resolve([1, 2]),
      (value) => [value, `row ${value}`],
    );
    expect(await textOf({ columns: ["id", "name"], batches: table })).toBe("\uFEFFid,name\r\n1,row 1\r\n2,row 2\r\n");
  });

  it("is read back exactly but for the apostrophes before formulas", () => {
    const plain = (texts: string[]): string[] => texts.map((text) => text.replaceAll("'", ""));
    fc.assert(
      fc.property(fc.array(fc.string({ unit: "grapheme" }), { minLength: 1 }), (values) => {
        const [row = []] = parseCsv(csvLine(values));
        expect(plain(row)).toEqual(plain(values));
        for (const [at, value] of values.entries()) if (!/[=+\-@＝＋－＠\t\r\n]/.test(value)) expect(row[at]).toBe(value);
      }),
    );
  });

  it("makes a formula text that a spreadsheet finds behind a semicolon", () => {
    expect(csvLine(["Ann;=A1; +1;b-2;x"])).toBe(`"Ann;'=A1; '+1;b-2;x"\r\n`);
    expect(csvLine(['Ann;"=A1;x'])).toBe(`"Ann;""'=A1;x"\r\n`);
  });

  it.each(['a "quoted" name', "two\r\nlines", "one, two", "สมชาย ใจดี", "a;b", ""])("keeps %j", (text) => {
    expect(parseCsv(csvLine([text, "end"]))).toEqual([[text, "end"]]);
  });

  it.each([
    '=cmd|" /C calc"!A0',
    "+1+1",
    "-2+3",
    "@SUM(1)",
    "\t=1",
    "\r=1",
    "\n=1",
    " =1+1",
    "＝1+1",
    "＋1",
    "－1",
    "＠A1",
    "-",
    "=",
    "--5",
  ])("makes %j text", (formula) => {
    expect(parseCsv(csvLine([formula]))).toEqual([[`'${formula}`]]);
  });

  it.each(["-5", "-0.25", "0.00710000", "997"])("leaves the number %s", (number) => {
    expect(csvLine([number])).toBe(`${number}\r\n`);
  });

  it("writes times in UTC and nothing for null", () => {
    expect(csvLine([new Date("2026-11-22T09:30:00.000Z"), null, 0])).toBe("2026-11-22T09:30:00.000Z,,0\r\n");
  });

  it("asks for batches after the last row, until one is not full", async () => {
    const rows = Array.from({ length: 2500 }, (_, index) => index);
    const asked: (number | undefined)[] = [];
    const find = (after: number | undefined, limit: number): Promise<number[]> => {
      asked.push(after);
      const start = after === undefined ? 0 : after + 1;
      return Promise.resolve(rows.slice(start, start + limit));
    };
    const read: unknown[] = [];
    for await (const batch of inBatches(find, (row) => [row])) read.push(...batch.flat());
    expect(read).toEqual(rows);
    expect(asked).toEqual([undefined, 999, 1999]);
  });
});
