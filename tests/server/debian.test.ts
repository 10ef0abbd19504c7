import { spawnSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { hasPostgres } from "../../scripts/debian.mjs";

let folder: string;
let program: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "pipwright-apt-"));
  program = join(folder, "swift");
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

/** Puts a program into the folder that is these lines of a shell. */
const play = (name: string, ...lines: string[]): void =>
  writeFileSync(join(folder, name), ["#!/bin/sh", ...lines].join("\n"), { mode: 0o755 });

/** Asks for the program as root, whoever runs this, where apt-get is these lines of a shell. */
function installBy(...apt: string[]): { status: number | null; stdout: string; stderr: string } {
  play("apt-get", ...apt);
  const call = `process.getuid = () => 0;
    (await import("./scripts/debian.mjs")).installPrograms("A store", { [${JSON.stringify(program)}]: ["swift", "swift-proxy"] }, ", or do without")`;
  return spawnSync(process.execPath, ["--input-type=module", "--eval", call], {
    cwd: join(import.meta.dirname, "../.."),
    // Nothing else: were the played one not to run, the system's would.
    env: { ...process.env, PATH: folder, LANGUAGE: "de" },
    encoding: "utf8",
  });
}

describe.runIf(existsSync("/etc/debian_version"))("on Debian as root, what the tests need", () => {
  it("is installed once by apt", () => {
    const writes = `[ "$1" = install ] && echo "$@" >> "${program}" || true`;
    expect(installBy(writes)).toMatchObject({ status: 0, stderr: "" });
    expect(installBy("exit 1")).toMatchObject({ status: 0, stdout: "", stderr: "" });
    expect(readFileSync(program, "utf8")).toMatch(/^install .* swift swift-proxy\n$/);
  });

  it("waits for another apt, as long as one has the lock", () => {
    const [waits, free] = [join(folder, "waits"), join(folder, "free")];
    play("sleep", `[ -e "${waits}" ] && echo > "${free}"`, `echo "$@" >> "${waits}"`);
    const { status, stdout, stderr } = installBy(
      // As another apt does, which speaks the language that is set.
      `[ -z "$LANGUAGE" ] || { echo "E: Sperre konnte nicht erlangt werden." >&2; exit 100; }`,
      `[ -e "${free}" ] || { echo "E: Could not get lock /var/lib/apt/lists/lock. It is held by process 7 (apt)" >&2; exit 100; }`,
      `[ "$1" = install ] && echo "$@" >> "${program}" || true`,
    );
    expect([status, stderr, existsSync(program)]).toEqual([0, "", true]);
    expect(stdout.split("\n").slice(1)).toEqual(["Waiting for another apt, which has the lock…", ""]);
    expect(readFileSync(waits, "utf8")).toBe("5\n5\n");
  });

  it.each(["exit 100", "exit 0"])("ends the run where apt has not brought it: %s", (line) => {
    const { status, stderr } = installBy(line);
    expect([status, stderr]).toEqual([
      1,
      `apt has not installed ${program}, which the tests need: apt-get install swift swift-proxy, or do without\n`,
    ]);
  });
});

it("the system has a PostgreSQL only with its server programs, of 15 or newer", () => {
  const install = (major: string, name: string): void => {
    mkdirSync(join(folder, major, "bin"), { recursive: true });
    writeFileSync(join(folder, major, "bin", name), "");
  };
  expect(hasPostgres(join(folder, "none"))).toBe(false);
  install("13", "initdb");
  install("15", "psql");
  expect(hasPostgres(folder)).toBe(false);
  install("15", "initdb");
  expect(hasPostgres(folder)).toBe(true);
});
