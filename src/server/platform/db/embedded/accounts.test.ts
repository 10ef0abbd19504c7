import { chmod, chown, cp, mkdir, readdir, readFile, rename, rm, stat, unlink, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, afterEach, describe, expect, it } from "vitest";
import { AS_ROOT, ask, NOBODY, Rig, serverPid } from "../../../../../tests/support/embedded-postgres/rig.ts";
import { chooseAccount } from "./os/accounts.ts";
import { canAccess, run } from "./os/run-program.ts";
import { findPackagedPostgres, type PostgresBinaries } from "./binaries/find-binaries.ts";
import { fatalLineSince, logPath } from "./server/log.ts";
import { DatabaseStartError } from "./supervisor.ts";

const rig = new Rig();
const shelf = new Rig();
afterEach(() => rig.clear());
afterAll(async () => {
  await rig.dispose();
  await shelf.dispose();
});

const packaged = await findPackagedPostgres();
const nobody = { name: "nobody", home: "/", switchesUser: AS_ROOT, ...NOBODY };
const nodeIsOpen = AS_ROOT && (await canAccess(nobody, "r", process.execPath));

let shared: string | undefined;

/** Returns a copy of the npm package that every account may use and tests may change. */
async function packageCopy(): Promise<string> {
  if (shared) return shared;
  shared = join(await shelf.diskFolder(), "package");
  await cp(packaged.portableRoot!, join(shared, "native"), { recursive: true, verbatimSymlinks: true });
  await cp(join(packaged.portableRoot!, "..", "package.json"), join(shared, "package.json"));
  await run("/bin/chmod", ["-R", "a+rX", shared]);
  return shared;
}

/** Runs a test with the copy moved to another folder. */
async function withPackageIn(folder: string, test: (binaries: PostgresBinaries) => Promise<void>): Promise<void> {
  const [at, away] = [await packageCopy(), join(folder, "package")];
  await rename(at, away);
  try {
    await test(await findPackagedPostgres(away));
  } finally {
    await rename(away, at);
  }
}

async function ownerOf(pid: number): Promise<number> {
  return (await stat(`/proc/${pid}`)).uid;
}

describe.runIf(AS_ROOT)("as root (skipped for others)", () => {
  it("runs the server under an unprivileged account", async () => {
    const dataDir = join(await rig.folder(), "data");
    const { uid } = await chooseAccount();
    const server = await rig.start({ dataDir });
    expect(uid).toBeGreaterThan(0);
    expect(await ownerOf(await serverPid(server.clusterDir))).toBe(uid);
    expect((await stat(server.clusterDir)).uid).toBe(uid);
    expect((await stat(dataDir)).uid).toBe(0);
    await server.stop();
  });

  it("restores the owner of a cluster that was restored as root", async () => {
    const dataDir = await rig.madeDataDir();
    const server = await rig.start({ dataDir });
    await server.stop();
    await run("/bin/chown", ["-R", "0:0", dataDir]);
    await chmod(server.clusterDir, 0o755);
    const again = await rig.start({ dataDir });
    expect(await ask(again.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    await again.stop();
  });

  it("keeps the database in the machine folder below a home of mode 0700", async () => {
    const [folder, machineDir] = [await rig.diskFolder(), await rig.diskFolder()];
    const home = join(folder, "home");
    await mkdir(home, { mode: 0o700 });
    await withPackageIn(home, async (binaries) => {
      const start = (name: string) => rig.start({ dataDir: join(home, name, "data"), binaries, machineDir });
      const first = await start("project");
      expect(first.clusterDir.startsWith(machineDir)).toBe(true);
      expect(rig.said).toContainEqual(expect.stringMatching(`^The database lives in ${dirname(first.clusterDir)}: `));
      expect(rig.said).toContainEqual(expect.stringMatching(`^PostgreSQL runs from ${machineDir}/postgres-18.*: `));
      await ask(first.connection, "create table kept as select 1 as n");
      await first.stop();

      await rename(join(home, "project"), join(home, "moved"));
      const second = await start("moved");
      expect(second.clusterDir).toBe(first.clusterDir);
      expect(await ask(second.connection, "select n from kept")).toEqual([{ n: 1 }]);
      await second.stop();

      await cp(join(home, "moved"), join(home, "copied"), { recursive: true });
      await expect(start("copied")).rejects.toThrow(/is a copy of .* and would share its database/);

      await rename(machineDir, `${machineDir}.lost`);
      await expect(start("moved")).rejects.toThrow(/^The database of .* is missing: it was in /);
      await rename(`${machineDir}.lost`, machineDir);
    });
  });

  it("reports a read-only or full disk in one line (where mounting is allowed)", async (context) => {
    const disk = await rig.diskFolder();
    const mount = (options: string) => run("/bin/mount", ["-t", "tmpfs", "-o", options, "tmpfs", disk]);
    if (!(await mount("ro")).ok) return context.skip();
    try {
      const readOnly = `^Cannot use the data folder ${disk}/data: read-only file system`;
      await expect(rig.start({ dataDir: join(disk, "data") })).rejects.toThrow(new RegExp(readOnly));
      await mount("size=15m,mode=755");
      const full = rig.start({ dataDir: join(disk, "data") });
      await expect(full).rejects.toThrow(/^The database could not be created in .*: .*No space left on device$/);
      expect(await readdir(join(disk, "data", "postgres"))).toEqual([]);
      await mount("size=150m,mode=755");
      await (await rig.start({ dataDir: join(disk, "data") })).stop();
      await run("/bin/dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=64k"]);
      const filled = rig.start({ dataDir: join(disk, "data") });
      await expect(filled).rejects.toThrow(/disk is full|No space left/);
    } finally {
      await run("/bin/sh", ["-c", 'umount "$1"; umount "$1"; umount "$1"', "sh", disk]);
    }
  });

  it("says that a full disk cut the server's own words (where mounting is allowed)", async (context) => {
    const disk = await rig.diskFolder();
    if (!(await run("/bin/mount", ["-t", "tmpfs", "-o", "size=150m", "tmpfs", disk])).ok) return context.skip();
    try {
      await writeFile(logPath(disk), "LOG:  starting\nFATAL:  could not w");
      expect(await fatalLineSince(disk, 0)).toBe("could not w");
      await run("/bin/dd", ["if=/dev/zero", `of=${join(disk, "filler")}`, "bs=64k"]);
      expect(await fatalLineSince(disk, 0)).toBe("its disk is full");
    } finally {
      await run("/bin/umount", [disk]);
    }
  });

  it("makes folders that its account can enter under any umask", async () => {
    const dataDir = join(await rig.folder(), "made", "data");
    const umask = process.umask(0o077);
    try {
      const server = await rig.start({ dataDir });
      expect(server.clusterDir.startsWith(dataDir)).toBe(true);
      await server.stop();
    } finally {
      process.umask(umask);
    }
  });

  it("makes no new database when the folders above an existing one were closed", async () => {
    const home = await rig.folder();
    await (await rig.start({ dataDir: join(home, "data") })).stop();
    await chmod(home, 0o700);
    const machineDir = await rig.folder();
    await expect(rig.start({ dataDir: join(home, "data"), machineDir })).rejects.toThrow(/can no longer reach the database/);
  });
});

describe.runIf(nodeIsOpen)("as an ordinary user (skipped unless root, and where others cannot run this Node)", () => {
  it("runs under the current user, also after a start as root", async () => {
    const folder = await rig.folder();
    await chown(folder, NOBODY.uid, NOBODY.gid);
    const packageDir = await packageCopy();
    const dataDir = join(folder, "data");
    const first = await rig.product({ dataDir, packageDir }, NOBODY);
    const { connection, clusterDir } = await first.ready();
    expect(await ownerOf(await serverPid(clusterDir))).toBe(NOBODY.uid);
    await ask(connection, "create table kept as select 1 as n");
    await first.end("SIGTERM");
    await expect(serverPid(clusterDir)).rejects.toThrow(/No server/);

    const root = await rig.start({ dataDir, binaries: await findPackagedPostgres(packageDir) });
    expect(await ownerOf(await serverPid(clusterDir))).toBe(NOBODY.uid);
    await root.stop();
    const third = await rig.product({ dataDir, packageDir }, NOBODY);
    expect(await ask((await third.ready()).connection, "select n from kept")).toEqual([{ n: 1 }]);
    await third.end("SIGTERM");
  });

  it("reports an unwritable folder in one line", async () => {
    const dataDir = await rig.folder();
    const packageDir = await packageCopy();
    const found = await (await rig.product({ dataDir, packageDir }, NOBODY)).outcome();
    expect(found).toMatchObject({ event: "failed", name: "DatabaseStartError" });
    expect(found.message).toBe(`Cannot use the data folder ${dataDir}: permission denied (${dataDir}/postgres)`);
  });

  it("reports a database of another account in one line", async () => {
    const dataDir = await rig.folder();
    const server = await rig.start({ dataDir });
    await server.stop();
    const packageDir = await packageCopy();
    const found = await (await rig.product({ dataDir, packageDir }, NOBODY)).outcome();
    expect(found.name).toBe("DatabaseStartError");
    expect(found.message).toMatch(/belongs to the user with id \d+, not to nobody: start as that user$/);
  });

  it("reports a missing link that it cannot make in one line", async () => {
    const packageDir = await packageCopy();
    const link = join(packageDir, "native", "lib", "libicui18n.so.60");
    await unlink(link);
    const dataDir = await rig.folder();
    const found = await (await rig.product({ dataDir, packageDir }, NOBODY)).outcome();
    expect(found.name).toBe("DatabaseStartError");
    expect(found.message).toMatch(
      new RegExp(`^PostgreSQL misses the link ${link}, and .* run "node scripts/hydrate-symlinks.js" in ${packageDir} as`),
    );
  });
});

it("makes the package's links where install scripts are off", async () => {
  const packageDir = await packageCopy();
  const links = JSON.parse(await readFile(join(packageDir, "native", "pg-symlinks.json"), "utf8")) as { target: string }[];
  for (const { target } of links) await rm(join(packageDir, target), { force: true });
  const version = await run(join(packageDir, "native", "bin", "postgres"), ["--version"]);
  expect(version.error).toMatch(/cannot open shared object file/);
  const server = await rig.start({
    dataDir: join(await rig.folder(), "data"),
    binaries: await findPackagedPostgres(packageDir),
  });
  expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
  await server.stop();
});

it("copies binaries from a path that initdb cannot quote, under any umask", async () => {
  const machineDir = join(await rig.diskFolder(), "made");
  const strange = join(await rig.diskFolder(), `"quoted" $HOME`);
  await mkdir(strange);
  await withPackageIn(strange, async (binaries) => {
    const dataDir = join(await rig.folder(), "data");
    const umask = process.umask(0o077);
    const server = await rig.start({ dataDir, binaries, machineDir }).finally(() => process.umask(umask));
    expect(rig.said).toContainEqual(expect.stringMatching(`^PostgreSQL runs from ${machineDir}/postgres-18`));
    expect(await ask(server.connection, "select 1 as n")).toEqual([{ n: 1 }]);
    await server.stop();
  });
});

it("reports binaries that do not run in one line", async () => {
  const folder = await rig.folder();
  const failure = await rig
    .start({ dataDir: join(folder, "data"), binaries: { bin: folder, release: "postgres-none" } })
    .catch((error: unknown) => error);
  expect(failure).toBeInstanceOf(DatabaseStartError);
  expect((failure as Error).message).toMatch(/^PostgreSQL does not run here: .*ENOENT.*DATABASE_URL/);
});
