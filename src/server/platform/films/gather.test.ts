import fc from "fast-check";
import { expect, it } from "vitest";
import { gather, lengthOfRanges } from "./gather.ts";

/** A file of so many bytes of which none is kept, and what was read of it. */
function fileOf(size: number): { read: (start: number, end: number) => Promise<Buffer>; reads: [number, number][] } {
  const reads: [number, number][] = [];
  const read = (start: number, end: number): Promise<Buffer> => {
    reads.push([start, end]);
    expect(end).toBeLessThanOrEqual(size);
    return Promise.resolve(Buffer.from(Array.from({ length: end - start }, (_none, at) => (start + at) % 251)));
  };
  return { read, reads };
}

it("gathers any ranges in their order", async () => {
  const range = fc.tuple(fc.nat(300_000), fc.nat(40));
  await fc.assert(
    fc.asyncProperty(fc.array(range, { maxLength: 20 }), async (found) => {
      const { read } = fileOf(300_040);
      const ranges = Float64Array.from(found.flatMap(([start, length]) => [start, start + length]));
      const expected = found.flatMap(([start, length]) => Array.from({ length }, (_none, at) => (start + at) % 251));
      expect([...(await gather(read, ranges))]).toEqual(expected);
      expect(lengthOfRanges(ranges)).toBe(expected.length);
    }),
  );
});

it("reads what stands together at once, however it takes turns", async () => {
  const { read, reads } = fileOf(1000);
  await gather(read, Float64Array.from([100, 110, 120, 130, 0, 90, 110, 120]));
  expect(reads).toEqual([[0, 130]]);
});

it("reads apart what stands apart, and at most 8 MB at once", async () => {
  const { read, reads } = fileOf(20_000_000);
  const megabyte = 1024 ** 2;
  await gather(read, Float64Array.from([0, 10, 65_546, 65_547, 131_084, 131_085]));
  expect(reads.splice(0)).toEqual([
    [0, 65_547],
    [131_084, 131_085],
  ]);
  await gather(read, Float64Array.from([0, 5 * megabyte, 5 * megabyte, 8 * megabyte, 8 * megabyte, 8 * megabyte + 1]));
  const twice = [
    [0, 8 * megabyte],
    [8 * megabyte, 8 * megabyte + 1],
  ];
  expect(reads.splice(0)).toEqual(twice);
  await gather(read, Float64Array.from([0, 8 * megabyte + 1]));
  expect(reads).toEqual(twice);
});
