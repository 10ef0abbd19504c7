import { defineConfig } from "vitest/config";

/** A poll ends as soon as its condition holds; on a busy machine that may take longer than the usual second. */
const patient = { interval: 50, timeout: 15_000 };

export default defineConfig({
  test: {
    // By itself one fewer than there are cores; most tests wait for a database, so there is room.
    maxWorkers: "100%",
    projects: [
      { test: { name: "domain", include: ["src/domain/**/*.test.ts"], environment: "node" } },
      { test: { name: "web", include: ["src/web/**/*.test.{ts,tsx}"], environment: "node" } },
      { test: { name: "boundaries", include: ["tests/boundaries/**/*.test.ts"], environment: "node", testTimeout: 30_000 } },
      {
        test: {
          name: "server",
          include: ["src/server/**/*.test.ts", "tests/server/**/*.test.ts"],
          exclude: ["src/server/platform/db/embedded/**"],
          environment: "node",
          expect: { poll: patient },
          globalSetup: ["tests/support/cluster.ts", "tests/support/picture-worker.ts"],
          testTimeout: 20_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "embedded-postgres",
          include: ["src/server/platform/db/embedded/**/*.test.ts"],
          environment: "node",
          expect: { poll: patient },
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          environment: "node",
          testTimeout: 300_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
});
