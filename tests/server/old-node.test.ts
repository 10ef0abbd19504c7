import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { transformWithOxc } from "vite";

const scripts = join(import.meta.dirname, "../../scripts");

it.each(["start.mjs", "seed.mjs", "dev.mjs"])("refuses an old Node.js in one line: %s", (script) => {
  const pretend = "Object.defineProperty(process.versions, 'node', { value: '18.20.4' })";
  const preload = `--import=data:text/javascript,${encodeURIComponent(pretend)}`;
  const { status, stdout, stderr } = spawnSync(process.execPath, [preload, join(scripts, script)], { encoding: "utf8" });
  expect([status, stdout, stderr]).toEqual([1, "", "Node.js 20.19 or newer is needed; this is 18.20.4.\n"]);
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
