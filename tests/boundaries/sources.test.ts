import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { expect, it } from "vitest";

const project = resolve(import.meta.dirname, "../..");

/** Every file that is in the repository or about to be. */
const files = execFileSync("git", ["ls-files", "--cached", "--others", "--exclude-standard", "-z"], { cwd: project })
  .toString()
  .split("\0")
  .filter((file) => file !== "" && existsSync(join(project, file)));

const sources = files.filter((file) => /\.(?:[cm]?[jt]sx?|css|html|sql|sh)$/.test(file));
const texts = files.filter((file) => !/\.(?:png|jpe?g|webp|gif|ico|mp4|woff2?)$/.test(file));
const textOf = (file: string): string => readFileSync(join(project, file), "utf8");

it("finds the sources", () => expect(sources).toContain("src/domain/money.ts"));

it("takes the keys of advisory locks from one file", () => {
  const elsewhere = sources
    .filter((file) => !file.endsWith(".test.ts") && file !== "src/server/platform/db/locks.ts")
    .filter((file) => /advisory_(?:xact_)?lock\((?!\$\d|\$\{lock(?:Keys|Spaces)\.)/.test(textOf(file)));
  expect(elsewhere).toEqual([]);
});

it("lets a feature's service.ts only re-export what others may call", () => {
  const doors = sources.filter((file) => /^src\/server\/features\/[^/]+\/service\.ts$/.test(file));
  expect(doors).toContain("src/server/features/quotes/service.ts");
  const withCode = doors.filter(
    (file) =>
      !/^\/\*\* What the rest of the server may call\b[^\n]*\*\/\n(?:export \{[^}]*\} from "\.\/[^"]+";\n)+$/.test(
        textOf(file),
      ),
  );
  expect(withCode).toEqual([]);
});

it("lets tests wait for conditions and compare no time with the wall clock", () => {
  const tests = sources.filter((file) => /\.(?:test|spec|suite)\.tsx?$/.test(file) && !file.startsWith("tests/gallery/"));
  const impatient = /\bwaitForTimeout\(|\bperformance\.now\(|\bawait new Promise\(\(\w+\) => setTimeout\(|\bvi\.waitFor\(/;
  expect(tests.filter((file) => impatient.test(textOf(file)) && !file.endsWith("sources.test.ts"))).toEqual([]);
});

it("names every test in under 80 characters", () => {
  const name = /\b(?:it|test)(?:\.(?!step)\w+)*(?:\((?:[^()]|\([^()]*\))*\))?\(\s*(["`])((?:(?!\1)[^\\]|\\.)*)\1/g;
  const named = sources
    .filter((file) => /\.(?:test|spec|suite)\.tsx?$/.test(file))
    .flatMap((file) => [...textOf(file).matchAll(name)].map(([, , text = ""]) => ({ file, text })));
  expect(named.length).toBeGreaterThan(2000);
  expect(named.filter(({ text }) => text.length >= 80)).toEqual([]);
});

it("names every folder after what is in it", () => {
  const folders = new Set(files.map((file) => dirname(file)));
  const shapeless = [...folders].filter((folder) =>
    folder.split("/").some((part) => /^(utils?|helpers?|common|misc|lib|shared)$/i.test(part)),
  );
  expect(shapeless).toEqual([]);
});

it("keeps every folder of src within 16 files, tests and ui not counted", () => {
  const folders = new Map<string, number>();
  for (const file of files.filter((name) => name.startsWith("src/") && !/\.(?:test|suite)\.tsx?$/.test(name))) {
    folders.set(dirname(file), (folders.get(dirname(file)) ?? 0) + 1);
  }
  expect(folders.get("src/web/ui")).toBeGreaterThan(16);
  expect([...folders].filter(([folder, count]) => folder !== "src/web/ui" && count > 16)).toEqual([]);
});

it("keeps every source file within 400 lines", () => {
  const long = sources.filter((file) => textOf(file).split("\n").length > 401);
  expect(long).toEqual([]);
});

it("gives a reason in the first line of every source file of more than 250 lines", () => {
  const long = sources.filter((file) => textOf(file).split("\n").length > 251);
  expect(long.filter((file) => !/^\/\/ \S.* lines/.test(textOf(file)))).toEqual([]);
});

it("locks packages by version and hash, not by the registry they came from", () => {
  const { packages } = JSON.parse(textOf("package-lock.json")) as { packages: Record<string, { resolved?: string }> };
  expect(Object.entries(packages).filter(([, entry]) => entry.resolved !== undefined)).toEqual([]);
  expect(files.filter((file) => /(^|\/)(\.npmrc|\.yarnrc.*)$/.test(file) && /registry/.test(textOf(file)))).toEqual([]);
});

it("names no folder of the machine it was written on", () => {
  const ownPath = /\/work\/(main|shared)\b|\/root\/\.|\/(Users|home)\/[a-z]+\/(src|code|projects|work)\b/;
  expect(texts.filter((file) => ownPath.test(textOf(file)))).toEqual([]);
});

it("keeps secrets and data out of the repository", () => {
  expect(files.filter((file) => /(^|\/)(\.env|secrets\.json)$|\.(pem|key)$|^data\//.test(file))).toEqual([]);
});
