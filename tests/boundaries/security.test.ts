import { execFileSync } from "node:child_process";
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";

const textOf = (file: string): string => readFileSync(file, "utf8");
const security = textOf("SECURITY.md");
const asvs = textOf("docs/security/asvs.md");
const inventory = textOf("docs/security/inventory.md");
const standard = JSON.parse(textOf("tests/boundaries/asvs-5.0.0.json")) as Record<"level1" | "level2", string>;

/** Returns the text from a heading of the second level to the next. */
const part = (heading: string): string => security.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
const lines = (text: string): string[] => text.split("\n").filter((line) => line.startsWith("- "));

const promises = lines(part("What the site promises"));
const threats = part("Threats")
  .split("\n### ")
  .slice(1)
  .map((threat) => ({ name: threat.split("\n")[0]!, measures: lines(threat) }));
const chapters = asvs.split("\n## V").slice(1);

const evidence = /`([^`]+)`: ("[^"]+"(?:, "[^"]+")*)/g;

/** Returns what is wrong with a line that ends with tests, such as `file`: "title", "title"; `file`: "title". */
function faultsOf(line: string): string[] {
  const cited = [...line.matchAll(evidence)];
  const end = /`[^`]+`: "[^"]+"(?:(?:, |; `[^`]+`: )"[^"]+")*$/.test(line);
  if (cited.length === 0 || !end) return ["does not end with a test"];
  return cited.flatMap(([, file = "", titles = ""]) => {
    if (!/\.(test\.tsx?|spec\.ts)$/.test(file) || !existsSync(file)) return [`no test file ${file}`];
    const source = textOf(file);
    return [...titles.matchAll(/"([^"]+)"/g)]
      .filter(([, title]) => !['"', "'", "`"].some((quote) => source.includes(quote + title! + quote)))
      .map(([, title]) => `no test ${title}`);
  });
}

/** Returns what is wrong with a line that says why there is no test: a reason, and each named file. */
function faultsOfReason(reason: string): string[] {
  const files = [...reason.matchAll(/`([\w./-]+\.(?:tsx?|md|json))`/g)].map(([, file]) => file!);
  return [
    ...(/^\S.{9,}\.$/.test(reason) ? [] : ["has no reason"]),
    ...files.filter((file) => !existsSync(file)).map((file) => `no file ${file}`),
  ];
}

const repeated = (all: string[]): string[] => all.filter((one, index) => all.indexOf(one) !== index);

describe("a promise of SECURITY.md", () => {
  it("lists more than fifty promises, each once", () => {
    expect(promises.length).toBeGreaterThan(50);
    expect(repeated(promises)).toEqual([]);
  });

  it.each(promises)("names existing tests: %s", (promise) => expect(faultsOf(promise)).toEqual([]));
});

describe("a threat of SECURITY.md", () => {
  it("lists more than ten threats, each once", () => {
    expect(threats.length).toBeGreaterThan(10);
    expect(repeated(threats.map(({ name }) => name))).toEqual([]);
    expect(repeated(lines(part("Threats")))).toEqual([]);
  });

  it.each(threats)("has for each measure a test or a reason, and the seller's part: $name", ({ measures }) => {
    const faults = measures.flatMap((line) => {
      const [, reason] = /^- \*\*(?:Not covered|Seller):\*\* (.+)$/.exec(line) ?? [];
      return reason === undefined ? faultsOf(line) : faultsOfReason(reason);
    });
    expect(faults).toEqual([]);
    expect(measures.filter((line) => line.startsWith("- **Seller:** "))).toHaveLength(1);
  });
});

describe("a requirement of docs/security/asvs.md", () => {
  const form = /^- \*\*([\d.]+)\*\* \((L[12])\) [A-Z].+?\. (Met|Met, by review|Not met|Does not apply): (.+)$/;

  it("lists every requirement of levels 1 and 2 once, under its chapter", () => {
    const wanted = [
      ...standard.level1.split(" ").map((id) => `${id} L1`),
      ...standard.level2.split(" ").map((id) => `${id} L2`),
    ];
    const listed = chapters.flatMap((chapter) =>
      lines(chapter).map((line) => {
        const [, id = line, level] = form.exec(line) ?? [];
        return id.startsWith(`${Number.parseInt(chapter, 10)}.`) ? `${id} ${level}` : `misplaced: ${id}`;
      }),
    );
    const byId = (one: string, other: string): number => one.localeCompare(other, "en", { numeric: true });
    expect(wanted).toHaveLength(253);
    expect(listed).toEqual(wanted.toSorted(byId));
  });

  it.each(chapters.flatMap(lines))("has tests or a reason: %s", (line) => {
    const [, , , verdict, proof = ""] = form.exec(line) ?? [];
    expect(verdict === "Met" ? faultsOf(line) : faultsOfReason(proof)).toEqual([]);
    if (verdict === "Met, by review") expect(proof).toMatch(/^`[^`]+`/);
  });
});

describe("docs/security/inventory.md", () => {
  const section = (heading: string): string => inventory.split(`\n## ${heading}\n`)[1]?.split("\n## ")[0] ?? "";
  const named = (text: string): string[] => [...text.matchAll(/`([^`]+)`/g)].map(([, name]) => name!);

  it("classifies every table", () => {
    const schemas = readdirSync("src/server/platform/db/schema");
    const text = schemas.map((file) => textOf(`src/server/platform/db/schema/${file}`)).join("");
    const tables = [...text.matchAll(/pgTable\(\s*"(\w+)"/g)].map(([, name]) => name!);
    expect(tables.length).toBeGreaterThan(20);
    const classified = lines(section("Data")).flatMap((line) => named(line.split(":")[0]!));
    expect(classified.toSorted()).toEqual(tables.toSorted());
  });

  it("names every security event of the log", () => {
    const source = textOf("src/server/platform/logging/security-events.ts");
    const events = named((/type SecurityEvent =([^;]+);/.exec(source)?.[1] ?? "").replaceAll('"', "`"));
    expect(events).toContain("step_up");
    expect(events.filter((event) => !named(section("Log")).includes(event))).toEqual([]);
  });

  it("names every file that uses cryptography", () => {
    const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src"], { encoding: "utf8" }).split("\n");
    const using = sources.filter(
      (file) =>
        /(?<!\.test|\.suite)\.tsx?$/.test(file) &&
        existsSync(file) &&
        /from "(node:crypto|jose|@node-rs\/argon2|@noble\/hashes\/.*)"/.test(textOf(file)),
    );
    expect(using).toContain("src/server/platform/sealing.ts");
    const listed = named(section("Keys and algorithms")).filter((name) => name.startsWith("src/"));
    expect(listed.toSorted()).toEqual(using.toSorted());
  });
});
