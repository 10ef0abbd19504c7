import { readdirSync, readFileSync } from "node:fs";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { defineConfig } from "vitest/config";
import { contractRoutes } from "./scripts/contract-routes.mjs";
import { forgetSettings } from "./scripts/forget-settings.mjs";

forgetSettings();

/** A poll ends as soon as its condition holds; on a busy machine that may take longer than the usual second. */
const patient = { interval: 50, timeout: 90_000 };

/** Long enough for a machine many times slower, with a slow disk and other programs on all its cores. */
const timeouts = { testTimeout: 300_000, hookTimeout: 300_000 };

const serverTests = {
  environment: "node",
  expect: { poll: patient },
  globalSetup: ["tests/support/setup/cluster.ts", "tests/support/setup/workers.ts"],
  ...timeouts,
  // Passwords of tests are hashed at the lowest cost.
  alias: [{ find: /^@node-rs\/argon2$/, replacement: join(import.meta.dirname, "tests/support/setup/cheap-argon2.ts") }],
};

/** `vi.mock` works only where nothing has loaded the module before: these files get a process each, the others share what is loaded. */
const mocking = readdirSync("src/server", { recursive: true, encoding: "utf8" })
  .filter((file) => file.endsWith(".test.ts"))
  .map((file) => `src/server/${file}`)
  .filter((file) => readFileSync(file, "utf8").includes("vi.mock("));

/** Screens need a document, which the first line of their tests asks for. */
const screens = readdirSync("src/web", { recursive: true, encoding: "utf8" })
  .filter((file) => /\.test\.tsx?$/.test(file))
  .map((file) => `src/web/${file}`)
  .filter((file) => readFileSync(file, "utf8").startsWith("// @vitest-environment happy-dom"));

/** The files share a process and the packages it has loaded; each loads the product anew, so that `vi.mock` works. */
const webTests = {
  isolate: false,
  setupFiles: ["tests/support/setup/fresh-modules.ts"],
  expect: { poll: patient },
  ...timeouts,
};

/** What leans on locks, notifications, constraints, exact numbers and order: run on the embedded PostgreSQL too where the system's runs all. */
const sqlTests = [
  "src/server/platform/db/{,search/}*.test.ts",
  "src/server/platform/mail/{queries,sender}.test.ts",
  "src/server/platform/realtime/*.test.ts",
  "src/server/features/coupons/*.test.ts",
  "src/server/features/payment-requests/{submit,decide}.test.ts",
  "src/server/features/payment-requests/screenshots/unused.test.ts",
  "src/server/features/quotes/*.test.ts",
  "src/server/features/users/*.test.ts",
  "tests/server/{constraints,database-outage,migrate,retention,schema,waiting-changes}.test.ts",
];

export default defineConfig({
  test: {
    // Most tests wait for a database or a program: with as many as there are cores, a third of the cores' time is left.
    maxWorkers: availableParallelism() + 1,
    projects: [
      {
        test: {
          name: "domain",
          include: ["src/domain/**/*.test.ts"],
          environment: "node",
          isolate: false,
          ...timeouts,
        },
      },
      {
        plugins: [contractRoutes],
        test: { ...webTests, name: "web", include: ["src/web/**/*.test.{ts,tsx}"], exclude: screens, environment: "node" },
      },
      { plugins: [contractRoutes], test: { ...webTests, name: "web-screens", include: screens, environment: "happy-dom" } },
      { test: { name: "boundaries", include: ["tests/boundaries/**/*.test.ts"], environment: "node", ...timeouts } },
      {
        test: {
          ...serverTests,
          name: "server",
          include: ["src/server/**/*.test.ts", "tests/server/**/*.test.ts"],
          exclude: ["src/server/platform/db/embedded/**", ...mocking],
          isolate: false,
        },
      },
      { test: { ...serverTests, name: "server-mocks", include: mocking } },
      ...(process.env["TEST_POSTGRES"] === "system"
        ? [{ test: { ...serverTests, name: "server-embedded", include: sqlTests, isolate: false } }]
        : []),
      {
        test: {
          name: "embedded-postgres",
          include: ["src/server/platform/db/embedded/**/*.test.ts"],
          environment: "node",
          globalSetup: ["tests/support/setup/made-database.ts"],
          expect: { poll: patient },
          ...timeouts,
        },
      },
      {
        test: {
          name: "faults",
          include: ["tests/faults/**/*.test.ts"],
          environment: "node",
          globalSetup: ["tests/support/setup/made-site.ts"],
          ...timeouts,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
    ],
  },
});
