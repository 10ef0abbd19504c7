import { execFileSync, spawnSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { settings, type Setting } from "#server/settings";

const known = new Set(Object.values(settings).flatMap((group) => Object.values<Setting>(group).map(({ name }) => name)));
/** Names that are for Caddy, PostgreSQL, the S3 server, glibc or the shell. */
const others = new Set(
  [
    "SITE_DOMAIN SITE_ADDRESS FILES_DOMAIN POSTGRES_USER POSTGRES_PASSWORD ROOT_ACCESS_KEY_ID ROOT_SECRET_ACCESS_KEY",
    "PATH MALLOC_MMAP_THRESHOLD_ MALLOC_TRIM_THRESHOLD_",
  ].flatMap((names) => names.split(" ")),
);

const deployed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "deploy", "docs/operations.md"], {
  encoding: "utf8",
})
  .trim()
  .split("\n")
  .filter((file) => existsSync(file));

/** Variables that a file sets or reads: `NAME=value`, `NAME: value`, `${NAME}`, `{$NAME}`, or in a sentence `NAME`. */
function variablesIn(text: string): string[] {
  const written = /(?:^|[\s"'{$`(=-])([A-Z][A-Z0-9]*(?:_[A-Z0-9]+)+|HOST|PORT|PATH)(?==|:\s|:[-?]|\}|`)/gm;
  return [...text.matchAll(written)].map(([, name]) => name!);
}

it.each(deployed)("names in %s only settings that exist", (file) => {
  const unknown = variablesIn(readFileSync(file, "utf8")).filter((name) => !known.has(name) && !others.has(name));
  expect(unknown).toEqual([]);
});

it("finds a setting that does not exist in each form that it is written in", () => {
  const forms = ["BACKUP_EACH=24h", '  BACKUP_EACH: "24h"', "${BACKUP_EACH:-24h}", "{$BACKUP_EACH}", "`BACKUP_EACH`"];
  for (const form of forms) expect(variablesIn(form), form).toEqual(["BACKUP_EACH"]);
  expect(variablesIn("Environment=NODE_ENV=production HOST=0.0.0.0")).toEqual(["NODE_ENV", "HOST"]);
});

const hasSystemd = spawnSync("systemd-analyze", ["--version"]).status === 0;

it.runIf(hasSystemd)("has a unit that systemd accepts, and whose sandbox it calls good", () => {
  const unit = "deploy/pipwright.service";
  // Only the program of a release is missing here.
  const { stderr } = spawnSync("systemd-analyze", ["verify", unit], { encoding: "utf8" });
  const faults = stderr.split("\n").filter((line) => line.includes("pipwright.service") && !line.includes("is not executable"));
  expect(faults).toEqual([]);
  const overall = execFileSync("systemd-analyze", ["security", "--offline=true", "--threshold=20", unit], { encoding: "utf8" });
  expect(overall).toContain("Overall exposure level");
});

it("has a unit that waits for the disks of its data, its files and its backups", () => {
  const unit = readFileSync("deploy/pipwright.service", "utf8");
  const [, data, backups] = /DATA_DIR=(\S+) BACKUP_DIR=(\S+)/.exec(unit)!;
  // A disk of a folder above is waited for too.
  expect(/^RequiresMountsFor=(.*)$/m.exec(unit)?.[1]).toBe(`${data}/objects ${backups}`);
});
