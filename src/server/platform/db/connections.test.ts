import { describe, expect, it, onTestFinished, vi } from "vitest";
import { ConfigError, readConfig } from "../../config.ts";
import { configuredConnection, newClient } from "./connections.ts";
import { socketConnection } from "./embedded/server/connect.ts";

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

// RUN-13
describe("the settings of a pooler", () => {
  const pooled = { DATABASE_URL: "postgres://pooler/course", DATABASE_DIRECT_URL: "postgres://host/course" };

  it("prepare no statements unless told to", () => {
    const preparing = (environment: Record<string, string>): unknown =>
      configuredConnection(readConfig({ DATABASE_URL: "postgres://host/course", ...environment }))?.prepares;
    expect([preparing({}), preparing({ PREPARED_STATEMENTS: "off" })]).toEqual([true, false]);
    expect([preparing(pooled), preparing({ ...pooled, PREPARED_STATEMENTS: "on" })]).toEqual([false, true]);
    expect(faultsOf({ PREPARED_STATEMENTS: "yes" })).toEqual(['PREPARED_STATEMENTS: must be on, off or auto, not "yes"']);
  });

  it("refuse the direct address alone, or one that is none", () => {
    const { DATABASE_DIRECT_URL } = pooled;
    expect(faultsOf({ DATABASE_DIRECT_URL })).toEqual([
      "DATABASE_DIRECT_URL: is for a pooler that DATABASE_URL leads through, which must be set too",
    ]);
    expect(faultsOf({ ...pooled, DATABASE_DIRECT_URL: "host:5432" })).toEqual([
      "DATABASE_DIRECT_URL: must be an address that starts with postgres:// or postgresql://",
    ]);
  });
});

it("the embedded database is asked without TLS, whatever is set for other databases", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  vi.stubEnv("PGSSLMODE", "require");
  vi.stubEnv("PGSSLNEGOTIATION", "direct");
  expect(newClient(socketConnection("/run", "pipwright", "site"))).toMatchObject({ ssl: false });
});
