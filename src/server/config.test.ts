import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { duration, listOf, wholeNumber } from "./setting-schemas.ts";

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
      server: { port: 3000, host: "localhost", rateLimits: true },
      database: { url: undefined },
      operation: { production: false },
    });
    expect(config.files.dataDir.endsWith("/data")).toBe(true);
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
      "RATE_LIMITS",
      "DATABASE_URL",
      "ADMIN_EMAIL",
      "ADMIN_PASSWORD",
      "LOG_LEVEL",
    ]);
  });

  it("repeat no password in a fault", () => {
    const faults = faultsOf({
      ADMIN_PASSWORD: "hunter2",
      DATABASE_URL: "mysql://owner:hunter2@host/course",
      SMTP_URL: "https://owner:hunter2@mail.example.com",
    });
    expect(faults).toHaveLength(3);
    expect(faults.join("\n")).not.toContain("hunter2");
  });

  it.each([
    ["off", 0],
    ["1m", 60],
    ["15m", 900],
    ["24h", 86_400],
    ["7d", 604_800],
  ])("read the time span %s in seconds", (text, seconds) => {
    expect(duration("1m", "7d").parse(text)).toBe(seconds);
  });

  it.each(["", "0", "0m", "59s", "15", "m", "-1m", "1.5h", "1e3m", "15 m", "15min", "8d", "9999999m", "1h30m", "OFF"])(
    "refuse the time span %j",
    (text) => {
      expect(duration("1m", "7d").safeParse(text).error?.issues[0]?.message).toBe(
        `must be off, or a time from 1m to 7d such as 15m, 24h or 7d, not "${text}"`,
      );
    },
  );

  it("take lists apart by commas and name the wrong item", () => {
    const days = listOf(wholeNumber(1, 31));
    expect(days.parse("1, 7,31")).toEqual([1, 7, 31]);
    expect(days.safeParse("1,,7").error?.issues[0]?.message).toBe('must be a whole number from 1 to 31, not ""');
    expect(readConfig({ TRUST_PROXY: "10.0.0.1, loopback" }).server.trustProxy).toEqual(["10.0.0.1", "loopback"]);
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
    expect(config).toMatchObject({
      server: { port: 3000, publicUrl: "https://course.example.com" },
      admin: { email: "owner@example.com" },
    });
  });
});
