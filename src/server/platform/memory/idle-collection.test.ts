import { expect, it } from "vitest";
import { idleCollections } from "./idle-collection.ts";

const mebibyte = 1024 * 1024;
const idle = 0.01;

function looks(count: number, isDue: (utilization: number, bytes: number) => boolean, bytes: number): number {
  return Array.from({ length: count }, () => isDue(idle, bytes)).filter(Boolean).length;
}

it("collects a heap that has grown by more than 16 MiB, of an idle process", () => {
  const isDue = idleCollections(50 * mebibyte);
  expect(isDue(idle, 66 * mebibyte)).toBe(false);
  expect(isDue(0.02, 200 * mebibyte)).toBe(false);
  expect(isDue(idle, 67 * mebibyte)).toBe(true);
});

it("collects a heap that stays large three times, and again five minutes later", () => {
  const isDue = idleCollections(50 * mebibyte);
  expect(looks(3, isDue, 200 * mebibyte)).toBe(3);
  expect(looks(27, isDue, 200 * mebibyte)).toBe(0);
  expect(isDue(idle, 200 * mebibyte)).toBe(true);
});

it("collects a heap that has grown again as if for the first time", () => {
  const isDue = idleCollections(50 * mebibyte);
  expect(looks(5, isDue, 200 * mebibyte)).toBe(3);
  expect(isDue(idle, 60 * mebibyte)).toBe(false);
  expect(looks(5, isDue, 200 * mebibyte)).toBe(3);
});
