import { spawn, spawnSync, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { delimiter, join } from "node:path";
import { afterEach, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { resolveConfig } from "vite";
import { fileArgument } from "../../scripts/file-argument.mjs";

const project = join(import.meta.dirname, "../..");
const calls = () => (existsSync(join(clone, "calls")) ? readFileSync(join(clone, "calls"), "utf8") : "");

let clone: string;

/** The scripts and the lock file in a folder without packages, and an `npm` that writes down its arguments and fails. */
beforeEach(() => {
  clone = mkdtempSync(join(tmpdir(), "pipwright-clone-"));
  for (const folder of ["scripts", "bench"]) cpSync(join(project, folder), join(clone, folder), { recursive: true });
  cpSync(join(project, "package-lock.json"), join(clone, "package-lock.json"));
  mkdirSync(join(clone, "bin"));
  writeFileSync(join(clone, "bin/npm"), `#!/bin/sh\necho "$@" >> "${clone}/calls"\nexit 1\n`, { mode: 0o755 });
});
afterEach(() => rmSync(clone, { recursive: true }));

const environment = () => ({ ...process.env, PATH: `${join(clone, "bin")}${delimiter}${process.env["PATH"]}` });

function runNode(...args: string[]): { status: number | null; stdout: string; stderr: string } {
  return spawnSync(process.execPath, args, { cwd: clone, env: environment(), encoding: "utf8", timeout: 60_000 });
}

const install = () => runNode("--input-type=module", "-e", `await (await import("./scripts/install.mjs")).installIfNeeded()`);

interface LockFile {
  packages: Record<string, { version?: string; os?: string[]; optional?: boolean }>;
}

/** Records packages as `npm ci` does; `change` edits the record. */
function recordInstallation(change: (packages: LockFile["packages"]) => void = () => {}): void {
  const lock = JSON.parse(readFileSync(join(project, "node_modules/.package-lock.json"), "utf8")) as LockFile;
  change(lock.packages);
  mkdirSync(join(clone, "node_modules"));
  writeFileSync(join(clone, "node_modules/.package-lock.json"), JSON.stringify(lock));
}

describe("installing packages", () => {
  it.each([
    "scripts/build.mjs",
    "scripts/dev.mjs",
    "scripts/settings-docs.mjs",
    "scripts/start.mjs",
    "scripts/seed.mjs",
    "scripts/test.mjs",
    "scripts/screenshots.mjs",
    "scripts/faults.mjs",
    "bench/bench.mjs",
    "bench/soak.mjs",
    "bench/web.mjs",
  ])("%s on a fresh clone runs npm ci before it loads any package", (script) => {
    const { status, stderr } = runNode(join(clone, script));
    expect(stderr).toBe("npm ci failed; see above.\n");
    expect(status).toBe(1);
    expect(calls()).toMatch(/^ci /);
  });

  it("keeps what npm ci installed", () => {
    recordInstallation();
    expect(install()).toMatchObject({ status: 0, stderr: "" });
    expect(calls()).toBe("");
  });

  it.each([
    ["empty", ""],
    ["cut off", '{ "packages": { "node_mod'],
    ["without packages", "{}"],
    ["of something else", "null"],
  ])("installs again when the record of node_modules is %s", (_name, record) => {
    recordInstallation();
    writeFileSync(join(clone, "node_modules/.package-lock.json"), record);
    expect(install()).toMatchObject({ status: 1, stderr: "npm ci failed; see above.\n" });
    expect(calls()).toMatch(/^ci /);
  });

  it.each<[name: string, change: (packages: LockFile["packages"]) => void]>([
    ["has another version", (packages) => (packages["node_modules/vite"]!.version = "1.0.0")],
    ["lacks a package", (packages) => delete packages["node_modules/vite"]],
    ["holds one package too many", (packages) => (packages["node_modules/stray"] = { version: "1.0.0" })],
    ["was made on another system", (packages) => (packages["node_modules/vite"]!.os = ["aix"])],
  ])("installs again when node_modules %s", (_name, change) => {
    recordInstallation(change);
    expect(install().status).toBe(1);
    expect(calls()).toMatch(/^ci /);
  });
});

describe("a command", () => {
  const seedOf = (line: string): void => {
    mkdirSync(join(clone, "dist/server"), { recursive: true });
    writeFileSync(join(clone, "dist/server/seed.js"), `console.error(${JSON.stringify(line)});`);
  };

  it("leaves packages and build as they are, since a site may run from them", () => {
    seedOf("Added 16");
    expect(runNode(join(clone, "scripts/seed.mjs"))).toMatchObject({ status: 0, stderr: "Added 16\n" });
    expect(calls()).toBe("");
  });

  it("waits for another run that installs, but not for one that was killed", async () => {
    writeFileSync(join(clone, "npm-shrinkwrap.json"), "{}");
    mkdirSync(join(clone, ".cache"));
    const lock = join(clone, ".cache/installing");
    writeFileSync(lock, "");
    const waiting = spawn(process.execPath, [join(clone, "scripts/seed.mjs")], { cwd: clone, env: environment() });
    const ended = once(waiting, "exit");
    expect(String(await once(waiting.stdout, "data"))).toContain("Waiting for another run");
    expect(calls()).toBe("");
    expect(await ended).toEqual([1, null]);
    expect(calls()).toMatch(/^ci /);
    // Neither this nor what a broken-off `npm pack` left stays.
    expect([lock, join(clone, "npm-shrinkwrap.json")].filter((file) => existsSync(file))).toEqual([]);
  });
});

describe("a site that runs from the clone", () => {
  const assets = () => readdirSync(join(clone, "dist/web"));
  const source = (text: string): void => writeFileSync(join(clone, "src/page.ts"), text);

  async function startSite(): Promise<ChildProcess> {
    const site = spawn(process.execPath, [join(clone, "scripts/start.mjs")], { cwd: clone, env: environment() });
    onTestFinished(() => void site.kill("SIGKILL"));
    let output = "";
    for await (const text of site.stdout) if ((output += String(text)).includes("is ready")) break;
    return site;
  }

  /** A build that names its one asset after the source, as a hash does. */
  beforeEach(() => {
    recordInstallation();
    mkdirSync(join(clone, "src"));
    const build = `
      import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
      rmSync("dist", { recursive: true, force: true });
      for (const folder of ["dist/server", "dist/web"]) mkdirSync(folder, { recursive: true });
      writeFileSync("dist/web/" + readFileSync("src/page.ts"), "");
      writeFileSync("dist/server/main.js", "console.log('is ready'); setInterval(() => {}, 1000);");`;
    writeFileSync(join(clone, "scripts/build.mjs"), build);
    source("first");
  });

  it.each(["start", "prepack", "screenshots"])("keeps its files when the sources change: %s", async (script) => {
    const { pid } = await startSite();
    source("second");
    const stderr = `Already running from this folder (process ${pid}). Stop it first: this would replace the files it runs from.\n`;
    expect(runNode(join(clone, `scripts/${script}.mjs`))).toMatchObject({ status: 1, stdout: "", stderr });
    expect(assets()).toEqual(["first"]);
  });

  it("keeps its packages when those to install change", async () => {
    await startSite();
    writeFileSync(join(clone, "package-lock.json"), '{ "packages": {} }');
    expect(runNode(join(clone, "scripts/start.mjs")).stderr).toMatch(/^Already running from this folder \(process \d+\)/);
    expect(calls()).toBe("");
  });

  it.each(["build.mjs", "dev.mjs"])("is not built over by scripts/%s", async (script) => {
    await startSite();
    cpSync(join(project, "scripts/build.mjs"), join(clone, "scripts/build.mjs"));
    expect(runNode(join(clone, "scripts", script)).stderr).toMatch(/^Already running from this folder/);
    expect(assets()).toEqual(["first"]);
  });

  it("is none after it was killed", async () => {
    const site = await startSite();
    site.kill("SIGKILL");
    await once(site, "exit");
    source("second");
    await startSite();
    expect(assets()).toEqual(["second"]);
  });
});

it.each([
  ["npm run build", [], [".built-demo"]],
  ["npm run build:demo", ["--demo"], [".built-site"]],
])("%s that is broken off leaves no build that npm start would serve", (_name, args, left) => {
  recordInstallation();
  mkdirSync(join(clone, "dist"));
  for (const stamp of [".built-site", ".built-demo"]) writeFileSync(join(clone, "dist", stamp), "of the sources");
  // There is no Vite in this clone.
  expect(runNode(join(clone, "scripts/build.mjs"), ...args).status).toBe(1);
  expect(readdirSync(join(clone, "dist"))).toEqual(left);
});

it.each([
  ["scripts/torture.mjs", ["--minutes=0,5"], "", '--minutes must be a number above 0, not "0,5".'],
  ["scripts/torture.mjs", ["--minutes=-1"], "", '--minutes must be a number above 0, not "-1".'],
  ["bench/soak.mjs", [], "abc", 'SOAK_MINUTES must be a number above 1, not "abc".'],
  ["bench/soak.mjs", [], "Infinity", 'SOAK_MINUTES must be a number above 1, not "Infinity".'],
  ["bench/soak.mjs", [], "1", 'SOAK_MINUTES must be a number above 1, not "1".'],
])("%s %j takes no number that would put no fault: %s", (script, args, minutes, line) => {
  if (minutes !== "") vi.stubEnv("SOAK_MINUTES", minutes);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(runNode(join(clone, script), ...args)).toMatchObject({ status: 1, stderr: `${line}\n` });
  expect(calls()).toBe("");
});

it.each([
  ["abc", 'BENCH_RUNS must be a number above 0, not "abc".'],
  ["0", 'BENCH_RUNS must be a number above 0, not "0".'],
  ["2,5", 'BENCH_RUNS must be a number above 0, not "2,5".'],
  ["2.5", 'BENCH_RUNS must be a whole number, not "2.5".'],
])("bench/web.mjs takes no number of runs that would measure nothing: %s", (runs, line) => {
  vi.stubEnv("BENCH_RUNS", runs);
  onTestFinished(() => void vi.unstubAllEnvs());
  expect(runNode(join(clone, "bench/web.mjs"))).toMatchObject({ status: 1, stderr: `${line}\n` });
  expect(calls()).toBe("");
});

it("leads npm run dev to the port and the name of .env", async () => {
  for (const name of ["PORT", "SITE_NAME"]) vi.stubEnv(name, undefined);
  onTestFinished(() => void vi.unstubAllEnvs());
  cpSync(join(project, "vite.config.ts"), join(clone, "vite.config.ts"));
  symlinkSync(join(project, "node_modules"), join(clone, "node_modules"));
  writeFileSync(join(clone, ".env"), 'PORT=4000\nSITE_NAME="My course"\n');
  const { plugins, server } = await resolveConfig({ configFile: join(clone, "vite.config.ts"), logLevel: "error" }, "serve");
  expect(server.proxy).toMatchObject({ "/api": { target: "http://localhost:4000" } });
  const { transformIndexHtml } = plugins.find(({ name }) => name === "site-name")!;
  expect((transformIndexHtml as (html: string) => string)("<title>%SITE_NAME%")).toBe("<title>My course");
});

it("finds the file of a command where npm was called, or in a bucket", () => {
  expect(["monday.tar", "/backups/monday.tar", "s3://backups/monday.tar"].map((file) => fileArgument(file, "/root"))).toEqual([
    "/root/monday.tar",
    "/backups/monday.tar",
    "s3://backups/monday.tar",
  ]);
});
