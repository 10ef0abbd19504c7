import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";

const faultsOf = (environment: Record<string, string>): readonly string[] => {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (error instanceof ConfigError) return error.faults;
    throw error;
  }
};

describe("the settings", () => {
  it("are all optional", () => {
    const config = readConfig({});
    expect(config).toMatchObject({
      port: 3000,
      host: "localhost",
      databaseUrl: undefined,
      rateLimits: true,
      production: false,
    });
    expect(config.dataDir.endsWith("/data")).toBe(true);
  });

  it("name every fault at once, a line each", () => {
    const faults = faultsOf({
      PORT: "http",
      PUBLIC_URL: "course.example.com",
      DATABASE_URL: "mysql://x",
      ADMIN_EMAIL: "nobody",
      ADMIN_PASSWORD: "short",
      RATE_LIMITS: "maybe",
      LOG_LEVEL: "loud",
    });
    expect(faults.map((fault) => fault.split(":")[0])).toEqual([
      "PORT",
      "PUBLIC_URL",
      "DATABASE_URL",
      "ADMIN_EMAIL",
      "RATE_LIMITS",
      "ADMIN_PASSWORD",
      "LOG_LEVEL",
    ]);
  });

  it("take the addresses of proxies and refuse anything else", () => {
    for (const value of ["on", "off", "10.0.0.1", "10.0.0.0/8, ::1", "loopback"]) {
      expect(faultsOf({ TRUST_PROXY: value }), value).toEqual([]);
    }
    for (const value of ["yes", "1", "10.0.0", "10.0.0.0/33", "10.0.0.0/", "10.0.0.1,", "proxy.example.com"]) {
      expect(faultsOf({ TRUST_PROXY: value }), value).toEqual([
        `TRUST_PROXY: must be on, off, or addresses such as 10.0.0.1 or 10.0.0.0/8, not "${value}"`,
      ]);
    }
  });

  it("refuse in production what is only for tests", () => {
    expect(faultsOf({ NODE_ENV: "production", RATE_LIMITS: "off" })).toEqual([
      "RATE_LIMITS: off is for tests and refused in production",
      "ADMIN_EMAIL: must be set in production",
    ]);
  });

  it.each(["", "  "])("refuse an empty ADMIN_EMAIL in production: '%s'", (email) => {
    const wrong = "ADMIN_EMAIL: must be set in production";
    expect(faultsOf({ NODE_ENV: "production", ADMIN_EMAIL: email })).toEqual([wrong]);
    expect(faultsOf({ NODE_ENV: "production", ADMIN_EMAIL: "owner@example.com" })).toEqual([]);
  });

  it("treat an empty value like none, and cut a trailing slash", () => {
    const config = readConfig({ PORT: "", PUBLIC_URL: "https://course.example.com/", ADMIN_EMAIL: " Owner@Example.com " });
    expect(config).toMatchObject({ port: 3000, publicUrl: "https://course.example.com", adminEmail: "owner@example.com" });
  });
});
