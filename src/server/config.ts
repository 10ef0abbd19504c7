import { existsSync } from "node:fs";
import { isIP } from "node:net";
import { dirname, join, resolve } from "node:path";
import { normaliseEmail } from "#domain/accounts/accounts";
import { maxUploadBytes } from "#domain/upload-rules";
import { settings, type SettingName } from "./settings.ts";

/** The settings of the process, parsed. */
export interface Config {
  port: number;
  host: string;
  /** Without a trailing slash. When undefined, the origin of each request is used. */
  publicUrl: string | undefined;
  dataDir: string;
  databaseUrl: string | undefined;
  adminEmail: string;
  adminPassword: string | undefined;
  siteName: string;
  smtpUrl: string | undefined;
  mailFrom: string;
  priceApiUrl: string;
  trustProxy: boolean | string;
  upgradeCredit: boolean;
  rateLimits: boolean;
  maxScreenshotBytes: number;
  maxVideoBytes: number;
  maxStreams: number;
  metricsToken: string | undefined;
  logLevel: string;
  production: boolean;
  /** The folder with package.json, migrations and dist. */
  projectDir: string;
}

export type Environment = Record<string, string | undefined>;

/** Lists every invalid setting, one line each. */
export class ConfigError extends Error {
  readonly faults: readonly string[];

  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "ConfigError";
    this.faults = faults;
  }
}

/** Returns the environment of the process, completed by `.env` of the project folder. */
export function processEnvironment(projectDir = findProjectDir()): Environment {
  const file = join(projectDir, ".env");
  // loadEnvFile does not replace variables that are set.
  if (existsSync(file)) process.loadEnvFile(file);
  return process.env;
}

/** Returns the folder of package.json, from the sources and from the bundle. */
export function findProjectDir(from: string = import.meta.dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error("package.json not found above the server's files.");
  return findProjectDir(parent);
}

/** Returns the parsed settings. Throws `ConfigError` with every fault. */
export function readConfig(environment: Environment, projectDir = findProjectDir()): Config {
  const faults: string[] = [];
  const text = (name: SettingName): string | undefined =>
    environment[name]?.trim() || (settings[name] as { fallback?: string }).fallback;
  const required = (name: SettingName): string => text(name) ?? "";
  const fault = (name: SettingName, problem: string): void => void faults.push(`${name}: ${problem}`);

  const wholeNumber = (name: SettingName, from: number, to: number): number => {
    const value = required(name);
    if (!/^\d+$/.test(value) || Number(value) < from || Number(value) > to) {
      fault(name, `must be a whole number from ${from} to ${to}, not "${value}"`);
    }
    return Number(value);
  };
  const address = (name: SettingName, protocols: string[]): string | undefined => {
    const value = text(name);
    if (value === undefined) return undefined;
    if (URL.canParse(value) && protocols.includes(new URL(value).protocol)) return value.replace(/\/+$/, "");
    fault(name, `must be an address that starts with ${protocols.map((protocol) => `${protocol}//`).join(" or ")}`);
    return undefined;
  };
  // Not every address that PostgreSQL accepts is a URL: postgres://user@/name?host=/socket/folder has no host.
  const databaseAddress = (): string | undefined => {
    const value = text("DATABASE_URL");
    if (value !== undefined && !/^postgres(ql)?:\/\//.test(value)) {
      fault("DATABASE_URL", "must be an address that starts with postgres:// or postgresql://");
    }
    return value;
  };
  const onOff = (name: SettingName): boolean => {
    const value = required(name);
    if (value !== "on" && value !== "off") fault(name, `must be on or off, not "${value}"`);
    return value === "on";
  };
  const proxyTrust = (): boolean | string => {
    const value = required("TRUST_PROXY");
    if (value === "on" || value === "off") return value === "on";
    if (!value.split(",").every((entry) => isProxyAddress(entry.trim()))) {
      fault("TRUST_PROXY", `must be on, off, or addresses such as 10.0.0.1 or 10.0.0.0/8, not "${value}"`);
    }
    return value;
  };
  const email = (name: SettingName): string => {
    try {
      return normaliseEmail(required(name));
    } catch {
      fault(name, "must be an e-mail address");
      return "";
    }
  };

  const production = environment["NODE_ENV"] === "production";
  const config: Config = {
    port: wholeNumber("PORT", 0, 65_535),
    host: required("HOST"),
    publicUrl: address("PUBLIC_URL", ["http:", "https:"]),
    dataDir: resolve(projectDir, required("DATA_DIR")),
    databaseUrl: databaseAddress(),
    adminEmail: email("ADMIN_EMAIL"),
    adminPassword: text("ADMIN_PASSWORD"),
    siteName: required("SITE_NAME"),
    smtpUrl: address("SMTP_URL", ["smtp:", "smtps:"]),
    mailFrom: required("MAIL_FROM"),
    priceApiUrl: address("PRICE_API_URL", ["http:", "https:"]) ?? "",
    trustProxy: proxyTrust(),
    upgradeCredit: onOff("UPGRADE_CREDIT"),
    rateLimits: onOff("RATE_LIMITS"),
    maxScreenshotBytes: wholeNumber("MAX_SCREENSHOT_BYTES", 1024, maxUploadBytes),
    maxVideoBytes: wholeNumber("MAX_VIDEO_BYTES", 1024, maxUploadBytes),
    maxStreams: wholeNumber("MAX_STREAMS", 1, 1_000_000),
    metricsToken: text("METRICS_TOKEN"),
    logLevel: required("LOG_LEVEL"),
    production,
    projectDir,
  };
  if (config.adminPassword !== undefined && config.adminPassword.length < 8) {
    fault("ADMIN_PASSWORD", "must have at least 8 characters");
  }
  if (!["fatal", "error", "warn", "info", "debug", "trace", "silent"].includes(config.logLevel)) {
    fault("LOG_LEVEL", "must be one of fatal, error, warn, info, debug, trace, silent");
  }
  if (/[<>\r\n]/.test(config.siteName) || config.siteName.length > 60) {
    fault("SITE_NAME", "must be one line of at most 60 characters without < and >");
  }
  if (production && !config.rateLimits) fault("RATE_LIMITS", "off is for tests and refused in production");
  if (production && !environment["ADMIN_EMAIL"]?.trim()) fault("ADMIN_EMAIL", "must be set in production");
  if (faults.length > 0) throw new ConfigError(faults);
  return config;
}

/** Returns whether Fastify accepts an entry: an address, a network, or one of its three names of networks. */
function isProxyAddress(entry: string): boolean {
  if (["loopback", "linklocal", "uniquelocal"].includes(entry)) return true;
  const [address = "", prefix, ...rest] = entry.split("/");
  const bits = { 0: 0, 4: 32, 6: 128 }[isIP(address)] ?? 0;
  if (bits === 0 || rest.length > 0) return false;
  return prefix === undefined || (/^\d{1,3}$/.test(prefix) && Number(prefix) > 0 && Number(prefix) <= bits);
}
