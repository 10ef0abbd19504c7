// Over 250 lines: what each kind of setting takes and refuses.
import { describe, expect, it } from "vitest";
import { ConfigError, readConfig } from "./config.ts";
import { duration, listOf, wholeNumber } from "./settings/schemas.ts";

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

  it.each(["prodution", "Production", "staging"])("refuse %s as NODE_ENV", (name) => {
    expect(faultsOf({ NODE_ENV: name })).toEqual(["NODE_ENV: must be one of production, development, test"]);
  });

  // FILE-18
  describe("of a bucket", () => {
    const whole = {
      S3_ENDPOINT: "https://s3.example.com/",
      S3_REGION: "eu-central-1",
      S3_BUCKET: "course-files",
      S3_ACCESS_KEY_ID: "AKIAEXAMPLE",
      S3_SECRET_ACCESS_KEY: "hunter2",
    };

    it("are complete or not there", () => {
      expect(readConfig({}).s3).toBeUndefined();
      expect(readConfig(whole).s3).toEqual({
        endpoint: "https://s3.example.com",
        region: "eu-central-1",
        bucket: "course-files",
        accessKeyId: "AKIAEXAMPLE",
        secretAccessKey: "hunter2",
        pathStyle: true,
      });
    });

    it("name each that is missing, and no key", () => {
      const missing = "must be set too, with the other S3_ settings";
      expect(faultsOf({ ...whole, S3_REGION: "", S3_SECRET_ACCESS_KEY: " " })).toEqual([
        `S3_REGION: ${missing}`,
        `S3_SECRET_ACCESS_KEY: ${missing}`,
      ]);
      expect(faultsOf({ S3_PATH_STYLE: "off" })).toHaveLength(5);
      expect(faultsOf({ ...whole, S3_ENDPOINT: "s3.example.com", S3_BUCKET: "Files", S3_REGION: "a/b" })).toEqual([
        "S3_ENDPOINT: must be an address that starts with http:// or https://",
        'S3_REGION: must be the name of a region such as eu-central-1, not "a/b"',
        'S3_BUCKET: must be the name of a bucket: 3 to 63 lower-case letters, digits, dots and hyphens, not "Files"',
      ]);
    });

    // BACKUP-4
    it("are those of backups too, which need no bucket for the files", () => {
      const { S3_BUCKET: bucket, ...account } = whole;
      const config = readConfig({ ...account, BACKUP_DIR: "s3://course-backups/daily" });
      expect([config.s3, config.backups.dir]).toEqual([undefined, "s3://course-backups/daily"]);
      expect(config.s3Account).toMatchObject({ endpoint: "https://s3.example.com", secretAccessKey: "hunter2" });
      expect(readConfig({ ...whole, BACKUP_DIR: "s3://course-backups" }).s3?.bucket).toBe(bucket);
      expect(faultsOf({ BACKUP_DIR: "s3://course-backups" })).toHaveLength(4);
      expect(faultsOf({ ...whole, BACKUP_DIR: "s3:///daily" })).toEqual([
        'BACKUP_DIR: must be a folder, or a bucket such as s3://course-backups/daily, not "s3:///daily"',
      ]);
    });

    it("display no key", () => {
      const [group] = readConfig(whole).environment.filter(({ subject }) => subject === "s3");
      expect(JSON.stringify(group)).not.toMatch(/AKIAEXAMPLE|hunter2/);
    });

    it("refuse ACCEL_REDIRECT beside them", () => {
      expect(faultsOf({ ...whole, ACCEL_REDIRECT: "/stored-files" })).toEqual([
        "ACCEL_REDIRECT: is for files on the disk; with S3_ENDPOINT the store sends them",
      ]);
    });
  });

  it("treat an empty value like none, and cut a trailing slash", () => {
    const config = readConfig({ PORT: "", PUBLIC_URL: "https://course.example.com/", ADMIN_EMAIL: " Owner@Example.com " });
    expect(config).toMatchObject({
      server: { port: 3000, publicUrl: "https://course.example.com" },
      admin: { email: "owner@example.com" },
    });
  });
});

// DEVICE-3
describe("the address of the site", () => {
  it.each(["https://course.example.com", "HTTPS://Course.Example.com/", "https://course.example.com:443"])(
    "is compared in the spelling of browsers: %s",
    (PUBLIC_URL) => expect(readConfig({ PUBLIC_URL }).server.publicUrl).toBe("https://course.example.com"),
  );

  it.each(["/course", "/?a", "/#a"])("has no path: %s", (path) =>
    expect(faultsOf({ PUBLIC_URL: `https://course.example.com${path}` })).toEqual([
      "PUBLIC_URL: must be an address without a path",
    ]),
  );

  it("has no user", () =>
    expect(faultsOf({ PUBLIC_URL: "https://owner@course.example.com" })).toEqual([
      "PUBLIC_URL: must be an address without a path",
    ]));
});

// WEBHOOK-4
describe("the address of webhooks", () => {
  const WEBHOOK_SECRET = "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw";
  const production = { NODE_ENV: "production", ADMIN_EMAIL: "owner@example.com" };

  it("is used exactly as it is written, with the bytes of the secret", () => {
    const { webhooks } = readConfig({ WEBHOOK_URL: "https://hooks.example.com/a/?token=1", WEBHOOK_SECRET });
    expect(webhooks).toEqual({
      url: "https://hooks.example.com/a/?token=1",
      keys: [Buffer.from("MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw", "base64")],
    });
    expect(readConfig({ WEBHOOK_SECRET: `${WEBHOOK_SECRET}, ${WEBHOOK_SECRET}` }).webhooks.keys).toHaveLength(2);
  });

  it.each([
    "http://127.0.0.1:5678/hook",
    "http://localhost:5678/hook",
    "http://[::1]:5678/hook",
    "http://10.1.2.3/hook",
    "http://172.16.0.9/hook",
    "http://192.168.1.20/hook",
    "http://100.101.102.103/hook",
    "http://[fd12::1]/hook",
    "http://n8n:5678/hook",
    "http://hooks.internal/hook",
    "http://pi.local/hook",
    "https://hooks.example.com/hook",
  ])("may be %s in production", (WEBHOOK_URL) => {
    expect(faultsOf({ ...production, WEBHOOK_URL, WEBHOOK_SECRET })).toEqual([]);
  });

  it.each([
    "http://hooks.example.com/hook",
    "http://8.8.8.8/hook",
    "http://[2001:db8::1]/hook",
    "http://10.1.2.3.example.com/hook",
    "http://local.example.com/hook",
    "http://hooks.notlocal/hook",
  ])("is not %s in production", (WEBHOOK_URL) => {
    expect(faultsOf({ WEBHOOK_URL, WEBHOOK_SECRET })).toEqual([]);
    const fault = "WEBHOOK_URL: must start with https:// in production, unless it is on this machine or a private network";
    expect(faultsOf({ ...production, WEBHOOK_URL, WEBHOOK_SECRET })).toEqual([fault]);
  });

  it.each([
    "hooks.example.com",
    "ftp://hooks.example.com",
    "https://user:hunter2@hooks.example.com",
    "https://hunter2@hooks.example.com",
  ])("is refused without repeating it: %s", (WEBHOOK_URL) => {
    const faults = faultsOf({ WEBHOOK_URL, WEBHOOK_SECRET });
    expect(faults).toEqual([expect.stringMatching(/^WEBHOOK_URL: must /)]);
    expect(faults.join()).not.toContain("hunter2");
  });

  it("needs a secret beside it", () => {
    expect(faultsOf({ WEBHOOK_URL: "https://hooks.example.com" })).toEqual(["WEBHOOK_SECRET: must be set beside WEBHOOK_URL"]);
  });

  it.each([
    "hunter2",
    "whsec_",
    "whsec_hunter2",
    `whsec_${Buffer.alloc(23).toString("base64")}`,
    `whsec_${Buffer.alloc(65).toString("base64")}`,
    WEBHOOK_SECRET.replace("whsec_", ""),
    `${WEBHOOK_SECRET}!`,
    `${WEBHOOK_SECRET},hunter2`,
  ])("needs a secret in its form, not %s", (secret) => {
    const faults = faultsOf({ WEBHOOK_URL: "https://hooks.example.com", WEBHOOK_SECRET: secret });
    expect(faults).toEqual(["WEBHOOK_SECRET: must be whsec_ and 24 to 64 bytes in base64"]);
  });
});
