// @ts-check
import { readFileSync } from "node:fs";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

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

/** Runs the quick tests first, since a mutant ends at its first failed test: those of properties come later, those with an app last. */
class QuickFirst extends BaseSequencer {
  /** @override @param {import("vitest/node").TestSpecification[]} files */
  async sort(files) {
    const slownessOf = (/** @type {string} */ file) => {
      const text = readFileSync(file, "utf8");
      return /\bstart(App|Shop|Course)\b/.test(text) ? 2 : Number(text.includes("fc.assert("));
    };
    return files.toSorted((one, other) => slownessOf(one.moduleId) - slownessOf(other.moduleId));
  }
}

/** The tests of one part of the mutation run, which `run.mjs` names. */
export default defineConfig({
  test: {
    include: (process.env["MUTATION_TESTS"] ?? "").split(" "),
    environment: "node",
    setupFiles: ["scripts/mutation/no-shrinking.mjs"],
    reporters: [loadReporter],
    sequence: { sequencer: QuickFirst },
    expect: { poll: { interval: 50, timeout: 15_000 } },
    // Tests share their modules, which saves most of the time of a run; each mutant begins with new ones all the same.
    isolate: process.env["MUTATION_ISOLATE"] === "on",
    globalSetup: needsDatabase ? ["tests/support/cluster.ts", "tests/support/workers.ts"] : [],
    // Well above what a busy machine needs, so that only a mutant makes a test too slow.
    testTimeout: 300_000,
    hookTimeout: 60_000,
  },
});
