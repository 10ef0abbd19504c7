import { existsSync, readFileSync } from "node:fs";
import { basename, dirname, join, resolve } from "node:path";
import type { z } from "zod";
import type { EnvironmentGroup, EnvironmentSetting } from "#domain/api/environment";
import { isPrivateHost } from "./platform/private-host.ts";
import { isBucketUrl } from "./platform/storage/s3/bucket-url.ts";
import { settings, type Setting } from "./settings.ts";

type ValueOf<S> = S extends { schema: infer Schema extends z.ZodType }
  ? z.output<Schema> | (S extends { fallback: string } ? never : undefined)
  : never;
type Values = {
  [Subject in keyof typeof settings]: { [Key in keyof (typeof settings)[Subject]]: ValueOf<(typeof settings)[Subject][Key]> };
};

type Complete<Group> = { [Key in keyof Group]: NonNullable<Group[Key]> };

/** The settings of the process, parsed; `settings.ts` says what each means. */
export interface Config extends Omit<Values, "s3"> {
  /** Undefined where the files are on the disk. */
  s3: Complete<Values["s3"]> | undefined;
  /** The store that backups may be in; undefined where none is named. */
  s3Account: Complete<Omit<Values["s3"], "bucket">> | undefined;
  /** The folder with package.json, migrations and dist. */
  projectDir: string;
  /** What is set, for the admin's page; without the texts of secrets. */
  environment: EnvironmentGroup[];
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

/**
 * Returns the environment of the process, completed by `.env` of the home folder unless a running site has passed on its own. Throws
 * `ConfigError` where that cannot be read.
 */
export function processEnvironment({ isOfRunningSite = false } = {}): Environment {
  const file = join(homeOf(findProjectDir()), ".env");
  if (!isOfRunningSite && existsSync(file)) loadEnvFile(file);
  return process.env;
}

/** Does not replace variables that are set. */
function loadEnvFile(file: string): void {
  try {
    // Read here, since loadEnvFile says of any fault that there is no file.
    readFileSync(file);
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    throw new ConfigError([`${file}: cannot be read (${code}). It must be a file that the account of the site may read`]);
  }
  process.loadEnvFile(file);
}

/** Returns the folder of package.json, from the sources and from the bundle. */
export function findProjectDir(from: string = import.meta.dirname): string {
  if (existsSync(join(from, "package.json"))) return from;
  const parent = dirname(from);
  if (parent === from) throw new Error("package.json not found above the server's files.");
  return findProjectDir(parent);
}

/** Returns the folder of `.env` and of relative folders: the project's, or where an installed package is started. */
function homeOf(projectDir: string): string {
  return basename(dirname(projectDir)) === "node_modules" ? process.cwd() : projectDir;
}

/** Returns the parsed settings. Throws `ConfigError` with every fault. */
export function readConfig(environment: Environment, projectDir = findProjectDir()): Config {
  const faults: string[] = [];
  const fault = ({ name }: Setting, problem: string): void => void faults.push(`${name}: ${problem}`);
  const textOf = ({ name }: Setting): string | undefined => environment[name]?.trim() || undefined;
  const valueOf = (setting: Setting): unknown => {
    const text = textOf(setting) ?? setting.fallback;
    if (text === undefined) return undefined;
    const { data, error } = setting.schema.safeParse(text);
    if (error) fault(setting, error.issues[0]!.message);
    return data;
  };
  const values = mapValues(settings, (subject) => mapValues<Setting, unknown>(subject, valueOf)) as Values;

  const { backups, database, files, operation, server, webhooks } = values;
  if (operation.production && !server.rateLimits) {
    fault(settings.server.rateLimits, "off is for tests and refused in production");
  }
  if (operation.production && textOf(settings.admin.email) === undefined) {
    fault(settings.admin.email, "must be set in production");
  }
  if (database.directUrl !== undefined && database.url === undefined) {
    fault(settings.database.directUrl, "is for a pooler that DATABASE_URL leads through, which must be set too");
  }
  if (webhooks.url !== undefined && textOf(settings.webhooks.keys) === undefined) {
    fault(settings.webhooks.keys, "must be set beside WEBHOOK_URL");
  }
  if (operation.production && webhooks.url !== undefined && !isPrivateOrEncrypted(webhooks.url)) {
    fault(settings.webhooks.url, "must start with https:// in production, unless it is on this machine or a private network");
  }
  const hasBackupsInBucket = isBucketUrl(textOf(settings.backups.dir) ?? "");
  const bucket = completeGroup(values.s3);
  if (bucket === undefined && (hasBackupsInBucket || Object.values(settings.s3).some(textOf))) {
    const missing = Object.values<Setting>(settings.s3).filter(
      (setting) =>
        (textOf(setting) ?? setting.fallback) === undefined && !(hasBackupsInBucket && setting === settings.s3.bucket),
    );
    for (const setting of missing) fault(setting, "must be set too, with the other S3_ settings");
  }
  if (bucket !== undefined && files.accelRedirect !== undefined) {
    fault(settings.files.accelRedirect, "is for files on the disk; with S3_ENDPOINT the store sends them");
  }
  if (faults.length > 0) throw new ConfigError(faults);
  const home = homeOf(projectDir);
  const { bucket: _bucket, ...account } = values.s3;
  const environmentGroups = Object.entries(settings).map(([subject, group]) => ({
    subject,
    settings: Object.values<Setting>(group).map((setting) => environmentSetting(setting, textOf(setting))),
  }));
  return {
    ...values,
    s3: bucket,
    s3Account: completeGroup(account),
    files: { ...files, dataDir: resolve(home, files.dataDir) },
    backups: { ...backups, dir: hasBackupsInBucket ? backups.dir : resolve(home, backups.dir) },
    projectDir,
    environment: environmentGroups,
  };
}

function isPrivateOrEncrypted(address: string): boolean {
  const { protocol, hostname } = new URL(address);
  return protocol === "https:" || isPrivateHost(hostname);
}

/** Returns a group of which every setting has a value; undefined where one has none. */
function completeGroup<Group extends object>(group: Group): Complete<Group> | undefined {
  return Object.values(group).includes(undefined) ? undefined : (group as Complete<Group>);
}

/** Returns what the admin's page displays of a setting: of a secret only whether it is set (ENVIRONMENT-1). */
function environmentSetting(setting: Setting, text: string | undefined): EnvironmentSetting {
  const { name, description, fallback = null, isSecret } = setting;
  return {
    name,
    description,
    fallback,
    is_secret: isSecret,
    is_set: text !== undefined,
    value: isSecret ? null : (text ?? null),
  };
}

function mapValues<Value, Result>(object: Record<string, Value>, to: (value: Value) => Result): Record<string, Result> {
  return Object.fromEntries(Object.entries(object).map(([key, value]) => [key, to(value)]));
}
