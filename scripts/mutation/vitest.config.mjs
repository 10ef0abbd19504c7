// @ts-check
import { readdirSync, readFileSync } from "node:fs";
import { basename, dirname } from "node:path";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";
import everything from "../../vitest.config.ts";

const partTests = (process.env["MUTATION_TESTS"] ?? "").split(" ");
const needsDatabase = process.env["MUTATION_DATABASE"] === "on";

/**
 * Adds a failed test to a test file that cannot be loaded, since Stryker's runner looks at tests alone: a mutant that throws when its
 * module is loaded would survive.
 */
const loadReporter = {
  /** @param {readonly any[]} modules */
  onTestRunEnd(modules) {
    for (const { task: file } of modules) {
      const { result } = file;
      if (result?.errors) file.tasks.push({ type: "test", name: "is loaded", mode: "run", file, result });
    }
  },
};

/**
 * Runs the tests of the mutated file first, then those beside it, since a mutant ends at its first failed test. Of the others the quick
 * ones come first: those of properties come later, those with an app last.
 */
class LikelyFirst extends BaseSequencer {
  /** @override @param {import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const mutated = this.ctx.config.related?.length === 1 ? this.ctx.config.related[0] : undefined;
    const rankOf = (/** @type {string} */ file) => distance(file, mutated) * 3 + slowness(file);
    return files.toSorted((one, other) => rankOf(one.moduleId) - rankOf(other.moduleId));
  }
}

/** @param {string} test @param {string | undefined} mutated */
function distance(test, mutated) {
  if (!mutated) return 2;
  const subject = basename(test, ".test.ts");
  if (subject.startsWith(basename(mutated, ".ts")) || subject === basename(dirname(mutated))) return 0;
  return dirname(test) === dirname(mutated) ? 1 : 2;
}

/** @param {string} file */
function slowness(file) {
  const text = readFileSync(file, "utf8");
  return /\bstart[A-Z]\w+\(/.test(text) ? 2 : Number(text.includes("fc.assert("));
}

/** Every test file of the server's projects. */
const serverTests = ["src/server", "tests/server"].flatMap((folder) =>
  readdirSync(folder, { recursive: true, encoding: "utf8" })
    .filter((file) => file.endsWith(".test.ts"))
    .map((file) => `${folder}/${file}`),
);

/** Returns a project of vitest.config.ts with the tests of this part alone. @param {string} name @param {string[]} [others] */
function projectOf(name, others = []) {
  const project = everything.test?.projects?.find((one) => typeof one === "object" && "test" in one && one.test?.name === name);
  if (typeof project !== "object" || !("test" in project)) throw new Error(`vitest.config.ts has no project ${name}`);
  const { test } = project;
  return {
    plugins: [builtAtEachUse],
    test: {
      ...test,
      include: partTests,
      exclude: [...(test?.exclude ?? []), ...others],
      setupFiles: ["scripts/mutation/no-shrinking.mjs"],
    },
  };
}

/**
 * Queries are built once for each connection, so that only the first test of each would be known to reach a mutant in them. Here each use builds them.
 * @type {import("vite").Plugin}
 */
const builtAtEachUse = {
  name: "queries-built-at-each-use",
  enforce: "pre",
  transform(code, id) {
    if (!id.endsWith("/platform/db/prepared.ts")) return undefined;
    const keeping = "if (known !== undefined) return known;";
    if (!code.includes(keeping)) throw new Error(`${id} has no line ${keeping}`);
    return code.replace(keeping, "");
  },
};

/** Tests that replace a module by `vi.mock` are run apart from the others. */
function serverProjects() {
  const mocks = serverTests.filter((file) => readFileSync(file, "utf8").includes("vi.mock("));
  return [
    projectOf("server"),
    projectOf(
      "server-mocks",
      serverTests.filter((file) => !mocks.includes(file)),
    ),
  ];
}

/** The tests of one part of the mutation run, which `run.mjs` names, set up as in vitest.config.ts. */
export default defineConfig({
  test: {
    reporters: [loadReporter],
    sequence: { sequencer: LikelyFirst },
    projects: needsDatabase ? serverProjects() : [projectOf("domain")],
  },
});
