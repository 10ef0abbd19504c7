import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";

type Versions = Record<string, string>;
interface Package {
  dependencies?: Versions;
  devDependencies?: Versions;
  optionalDependencies?: Versions;
  engines?: { node?: string };
}

const read = (file: string): unknown => JSON.parse(readFileSync(file, "utf8"));
const own = read("package.json") as Package;
const { packages } = read("package-lock.json") as { packages: Record<string, Package> };
const namedBy = ({ dependencies, devDependencies, optionalDependencies }: Package): Versions => ({
  ...dependencies,
  ...devDependencies,
  ...optionalDependencies,
});

it("names each package by one version, the one that is locked", () => {
  const versions = namedBy(own);
  expect(Object.entries(versions).filter(([, version]) => !/^\d+\.\d+\.\d+(?:-[\w.]+)?$/.test(version))).toEqual([]);
  expect(namedBy(packages[""]!)).toEqual(versions);
});

it("has what server and domain import, and no more, as dependencies", () => {
  const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/server", "src/domain"], {
    encoding: "utf8",
  });
  const text = files
    .split("\n")
    .filter((file) => /(?<!\.(?:test|suite))\.ts$/.test(file) && existsSync(file))
    .map((file) => readFileSync(file, "utf8"))
    .join("\n");
  const imported = [...text.matchAll(/(?:from |import\(|^import )"((?:@[\w-]+\/)?[a-z][\w.-]*)["/]/gm)].map(
    (match) => match[1]!,
  );
  const named = Object.keys(own.dependencies ?? {});
  const locked = imported.filter((name) => Object.hasOwn(namedBy(own), name));
  const rule = "What src/server and src/domain import is in dependencies, everything else in devDependencies";
  expect([...new Set(locked)].toSorted(), rule).toEqual(named.toSorted());
});

it("locks no package that the oldest Node.js cannot run", () => {
  const oldest = [20, 19, 0];
  expect(own.engines?.node).toMatch(/^\^20\.19\.0 /);
  expect(["^20.19.0 || >=22", ">= 20", "18 || 20", ">=16 <21", "*"].filter((range) => !admits(range, oldest))).toEqual([]);
  expect([">=22", "^20.20.0 || >=22", "18 || 22", ">=16 <20", "20.18.1"].filter((range) => admits(range, oldest))).toEqual([]);
  const tooNew = Object.entries(packages).filter(([, { engines }]) => !admits(engines?.node ?? "*", oldest));
  expect(tooNew.map(([path, { engines }]) => `${path}: ${engines?.node}`)).toEqual([]);
});

/** Returns whether a range of versions, as npm writes it, admits a version. */
function admits(range: string, version: number[]): boolean {
  return range.split("||").some((all) =>
    [...all.matchAll(/([<>=^~]*)\s*(\d+)(?:\.(\d+))?(?:\.(\d+))?/g)].every(([, sign = "", ...numbers]) => {
      const given = numbers.filter((number) => number !== undefined).map(Number);
      const difference = given.map((number, at) => version[at]! - number).find((one) => one !== 0) ?? 0;
      if (sign.startsWith(">")) return sign === ">" ? difference > 0 : difference >= 0;
      if (sign.startsWith("<")) return sign === "<" ? difference < 0 : difference <= 0;
      if (sign === "^") return difference >= 0 && given[0] === version[0];
      if (sign === "~") return difference >= 0 && given[0] === version[0] && (given[1] ?? version[1]) === version[1];
      return difference === 0;
    }),
  );
}
