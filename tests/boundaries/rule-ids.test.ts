import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const defined = [...readFileSync("docs/product.md", "utf8").matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map((match) => match[1]!);
const groups = new Set([...readFileSync("docs/product.md", "utf8").matchAll(/^## ([A-Z]+): /gm)].map((match) => match[1]!));

/** Standards, and a coupon code of the tests, which look like ids of ours. */
const otherNames = new Set(["SHA", "UTF", "EIP", "BIP", "CRC", "RFC", "ISO", "AES", "MD", "HTTP", "UTS", "PDF", "SPRING"]);

const citing = execFileSync(
  "git",
  ["ls-files", "-co", "--exclude-standard", "src", "tests", "scripts", "migrations", "docs", "bench", "*.md"],
  {
    encoding: "utf8",
  },
)
  .split("\n")
  // The changelog also names rules that are gone.
  .filter((file) => /\.(tsx?|mjs|js|sql|css|md)$/.test(file) && file !== "CHANGELOG.md" && existsSync(file));

/** Returns every id that a file cites. */
function citationsIn(file: string): { id: string; group: string }[] {
  const text = readFileSync(file, "utf8");
  return [...text.matchAll(/(?<![\w-])([A-Z]{3,})-\d{1,3}(?![\w-])/g)].map((match) => ({ id: match[0], group: match[1]! }));
}

const changelog = readFileSync("CHANGELOG.md", "utf8");

describe("docs/product.md", () => {
  it("has each rule once, below the heading of its group", () => {
    expect(defined.length).toBeGreaterThan(50);
    expect(new Set(defined).size).toBe(defined.length);
    expect(defined.filter((id) => !groups.has(id.replace(/-\d+$/, "")))).toEqual([]);
  });

  it("has every rule id that a file of the project cites", () => {
    const unknown = citing.flatMap((file) =>
      citationsIn(file)
        .filter(({ id, group }) => !otherNames.has(group) && !defined.includes(id))
        // An old migration is never edited; the changelog names the rules that are gone.
        .filter(({ id }) => !(file.startsWith("migrations/") && new RegExp(`\\b${id}\\b`).test(changelog)))
        .map(({ id }) => `${file}: ${id}`),
    );
    expect(unknown).toEqual([]);
  });

  it("replaces citations of papers that are not in the project", () => {
    const papers = /\bdecisions \d|\bspecification, section|\bsections? \d.*\bof the specification/i;
    const citingPapers = citing.filter((file) => !file.includes("rule-ids") && papers.test(readFileSync(file, "utf8")));
    expect(citingPapers).toEqual([]);
  });
});

describe("docs/decisions", () => {
  const files = readdirSync("docs/decisions").filter((file) => /^\d{3}-/.test(file));

  it("is numbered without holes", () => {
    expect(files.map((file) => Number(file.slice(0, 3)))).toEqual(files.map((_, index) => index + 1));
  });

  it("has date, status and sections in every decision, and a row in the index", () => {
    const index = readFileSync("docs/decisions/README.md", "utf8");
    for (const file of files) {
      const text = readFileSync(`docs/decisions/${file}`, "utf8");
      expect(text, file).toMatch(/^# \d{3} .+\n\nDate: \d{4}-\d\d-\d\d · Status: /);
      expect(text.match(/^## .+$/gm), file).toEqual(["## Context", "## Decision", "## Consequences"]);
      expect(index, file).toContain(`(${file})`);
    }
  });
});
