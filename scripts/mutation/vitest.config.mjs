// @ts-check
import { defineConfig } from "vitest/config";

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

/** The tests of one part of the mutation run, which `run.mjs` names. */
export default defineConfig({
  test: {
    include: (process.env["MUTATION_TESTS"] ?? "").split(" "),
    environment: "node",
    reporters: [loadReporter],
    expect: { poll: { interval: 50, timeout: 15_000 } },
    globalSetup: needsDatabase ? ["tests/support/cluster.ts", "tests/support/picture-worker.ts"] : [],
    // Well above what a busy machine needs, so that only a mutant makes a test too slow.
    testTimeout: 60_000,
    hookTimeout: 60_000,
  },
});
