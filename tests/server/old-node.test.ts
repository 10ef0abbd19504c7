import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { transformWithOxc } from "vite";

const scripts = join(import.meta.dirname, "../../scripts");

/** Runs Node.js as if it had another version. */
function runAs(version: string, ...args: string[]): unknown[] {
  const pretend = `Object.defineProperty(process.versions, 'node', { value: '${version}' })`;
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [preload, ...args], { cwd: scripts, encoding: "utf8" });
  return [status, stdout, stderr];
}
const refuse = ["--input-type=module", "--eval", `(await import("./node-version.mjs")).refuseOldNode()`];
const refusal = (version: string): unknown[] => [1, "", `Node.js 20.19+ or 22.12+ is needed; this is ${version}.\n`];

it.each(["start.mjs", "seed.mjs", "dev.mjs", "build.mjs", "pipwright.mjs"])(
  "refuses an old Node.js in one line: %s",
  (script) => {
    expect(runAs("18.20.4", script)).toEqual(refusal("18.20.4"));
  },
);

it.each(["20.18.3", "21.7.3", "22.11.0"])("refuses Node.js %s, which cannot build", (version) => {
  expect(runAs(version, ...refuse)).toEqual(refusal(version));
});

it.each(["20.19.0", "22.12.0", "23.0.0", "24.0.0"])("accepts Node.js %s", (version) => {
  expect(runAs(version, ...refuse)).toEqual([0, "", ""]);
});

it.each(["start.mjs", "node-version.mjs"])("uses no newer syntax than ES2015 and import(): %s", async (script) => {
  const source = readFileSync(join(scripts, script), "utf8");
  const [old, current] = await Promise.all(
    (["es2015", "esnext"] as const).map((target) => transformWithOxc(source, script, { lang: "js", target })),
  );
  expect(old!.code).toBe(current!.code);
  const newer = await transformWithOxc("export const a = b?.c ?? d;", script, { lang: "js", target: "es2015" });
  expect(newer.code).not.toContain("?.");
});
