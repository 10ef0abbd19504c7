import { describe, expect, it } from "vitest";
import { noneMatchNames, rangeStillCounts, selectRange } from "./ranges.ts";

const whole = { kind: "whole" };
const none = { kind: "none" };
const part = (start: number, end: number) => ({ kind: "part", start, end });

describe("a Range header for a file of 1000 bytes", () => {
  it.each([
    [undefined, whole],
    ["bytes=0-499", part(0, 499)],
    ["bytes=500-", part(500, 999)],
    ["bytes=-300", part(700, 999)],
    ["bytes=-5000", part(0, 999)],
    ["bytes=0-0", part(0, 0)],
    ["bytes=999-", part(999, 999)],
    ["bytes=900-5000", part(900, 999)],
    ["BYTES=0-9", part(0, 9)],
    ["bytes=1000-", none],
    ["bytes=99999999999999999999-", none],
    ["bytes=-0", none],
    ["bytes=500-400", whole],
    ["bytes=0-1,5-6", whole],
    ["bytes=-", whole],
    ["bytes=a-b", whole],
    ["bytes=0-1x", whole],
    ["lines=0-1", whole],
    ["kilobytes=0-1", whole],
    ["", whole],
  ])("%s selects %o", (header, selection) => {
    expect(selectRange(header, 1000)).toEqual(selection);
  });
});

describe("conditions", () => {
  it("finds an entity in If-None-Match, strong or weak, among others or by *", () => {
    for (const header of ['"a"', 'W/"a"', '"x", "a"', "*", " * "]) expect(noneMatchNames(header, '"a"')).toBe(true);
    for (const header of [undefined, '"b"', "a", "", '"W/a"']) expect(noneMatchNames(header, '"a"')).toBe(false);
  });

  it("lets a range count only for exactly the entity that If-Range names", () => {
    expect(rangeStillCounts(undefined, '"a"')).toBe(true);
    for (const header of ['"a"', ' "a" ']) expect(rangeStillCounts(header, '"a"')).toBe(true);
    for (const header of ['W/"a"', '"b"', "Wed, 21 Oct 2015 07:28:00 GMT"]) expect(rangeStillCounts(header, '"a"')).toBe(false);
  });
});
