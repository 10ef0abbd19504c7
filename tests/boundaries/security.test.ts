import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

/** The promises: one line each, ending with a test file and test titles. */
const promises = readFileSync("SECURITY.md", "utf8")
  .split("## What the site promises")[1]!
  .split("## What it does not promise")[0]!
  .split("\n")
  .filter((line) => line.startsWith("- "));

describe("a promise of SECURITY.md", () => {
  it("lists more than fifty promises", () => {
    expect(promises.length).toBeGreaterThan(50);
  });

  it.each(promises)("names existing tests: %s", (promise) => {
    const [, file = "", titles = ""] = /`([^`]+)`: ("[^`]+")$/.exec(promise) ?? [];
    expect(existsSync(file)).toBe(true);
    const source = readFileSync(file, "utf8");
    const missing = [...titles.matchAll(/"([^"]+)"/g)].map(([, title]) => title!).filter((title) => !source.includes(title));
    expect({ file, missing, hasTitle: titles !== "" }).toEqual({ file, missing: [], hasTitle: true });
  });
});
