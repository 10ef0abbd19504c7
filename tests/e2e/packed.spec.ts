import { execFileSync, spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { expect, test } from "@playwright/test";
import { fixedPort } from "../support/network/fixed-port.ts";

const project = join(import.meta.dirname, "../..");

let folder: string;
test.beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), "pipwright-packed-"));
  chmodSync(folder, 0o755);
  execFileSync("npm", ["pack", "--silent", "--pack-destination", folder], { cwd: project, stdio: "ignore" });
  mkdirSync(join(folder, "node_modules/pipwright"), { recursive: true });
  const [tarball] = readdirSync(folder).filter((name) => name.endsWith(".tgz"));
  const unpack = ["--extract", "--file", join(folder, tarball!), "--strip-components=1"];
  execFileSync("tar", [...unpack, "--directory", join(folder, "node_modules/pipwright")]);
  for (const name of productionPackages()) {
    mkdirSync(dirname(join(folder, name)), { recursive: true });
    symlinkSync(join(project, name), join(folder, name));
  }
});
test.afterAll(() => rmSync(folder, { recursive: true, force: true }));

/** The folders of the packages that npm installs with a release. */
function productionPackages(): string[] {
  const { packages } = JSON.parse(readFileSync(join(project, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dev?: boolean; devOptional?: boolean }>;
  };
  const isTop = (path: string): boolean => path.lastIndexOf("node_modules/") === 0;
  return Object.entries(packages).flatMap(([path, { dev, devOptional }]) =>
    isTop(path) && !dev && !devOptional && existsSync(join(project, path)) ? [path] : [],
  );
}

const filesOf = (name: string): string[] =>
  readdirSync(join(folder, "node_modules/pipwright", name), { recursive: true, encoding: "utf8" });

/** The exit code of the health check of deploy/Dockerfile. */
function healthOfImage(port: number): number | null {
  const [, words] = /HEALTHCHECK[^[]*(\[.*\])\n/.exec(readFileSync(join(project, "deploy/Dockerfile"), "utf8")) ?? [];
  const [program, ...args] = JSON.parse(words!) as string[];
  return spawnSync(program!, args, { env: { ...process.env, PORT: String(port) } }).status;
}

// RUN-11
test("a release has what runs, and neither sources nor tests nor data", () => {
  const names = filesOf(".");
  for (const name of [
    "package.json",
    "npm-shrinkwrap.json",
    "README.md",
    "LICENSE",
    "dist/server/main.js",
    "dist/server/backup.js",
    "dist/web/index.html",
    "docs/operations.md",
  ])
    expect(names).toContain(name);
  expect(filesOf("migrations")).toEqual(readdirSync(join(project, "migrations")));
  const folders = new Set(names.flatMap((name) => (name.includes("/") ? [name.slice(0, name.indexOf("/"))] : [])));
  expect([...folders].toSorted()).toEqual(["deploy", "dist", "docs", "migrations", "samples", "scripts"]);
  expect(filesOf("scripts").toSorted()).toEqual(["node-version.mjs", "pipwright.mjs"]);
  expect(existsSync(join(project, "npm-shrinkwrap.json"))).toBe(false);
});

// RUN-11
test("a release starts without a clone, and keeps its data where it is started", async () => {
  const port = await fixedPort();
  const command = join(folder, "node_modules/pipwright/scripts/pipwright.mjs");
  const env = { ...process.env, NODE_ENV: "test", PORT: String(port), PRICE_API_URL: "http://127.0.0.1:2/" };
  const site = spawn(process.execPath, [command], { cwd: folder, env, stdio: ["ignore", "pipe", "inherit"] });
  const ended = once(site, "exit");
  let output = "";
  site.stdout.on("data", (text: Buffer) => (output += text.toString()));
  try {
    await expect.poll(() => output, { timeout: 60_000 }).toContain(`is ready: http://localhost:${port}`);
    const page = await fetch(`http://localhost:${port}/`);
    expect([page.status, (await page.text()).includes("<h1")]).toEqual([200, true]);
    expect(existsSync(join(folder, "data/secrets.json"))).toBe(true);
    expect(healthOfImage(port)).toBe(0);
    execFileSync(process.execPath, [command, "backup", "monday.tar"], { cwd: folder, env, stdio: "ignore" });
    expect(statSync(join(folder, "monday.tar")).size).toBeGreaterThan(10_000);
    expect(() => execFileSync(process.execPath, [command, "backup"], { cwd: folder, env, stdio: "pipe" })).toThrow(
      "Name the file to write: pipwright backup /backups/monday.tar",
    );
    expect(() => execFileSync(process.execPath, [command, "fly"], { cwd: folder, env, stdio: "pipe" })).toThrow(
      /has no command fly\. There are: start, seed, backup/,
    );
  } finally {
    site.kill();
    await ended;
    expect(healthOfImage(port)).toBe(1);
  }
});
