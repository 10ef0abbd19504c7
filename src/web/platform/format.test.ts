import { expect, test } from "vitest";
import { clock, fileSize, usd } from "./format.ts";

test("USD is shown to its last digit and never rounded", () => {
  expect(usd("299.1")).toBe("$299.1");
  expect(usd("997")).toBe("$997");
  expect(usd("331.33669")).toBe("$331.33669");
});

test("time left and sizes", () => {
  expect(clock(1800)).toBe("30:00");
  expect(clock(61)).toBe("1:01");
  expect(clock(-3)).toBe("0:00");
  expect(fileSize(5 * 1024 ** 3)).toBe("5 GB");
  expect(fileSize(300_000)).toBe("293 kB");
});
