// @ts-check
// Pictures of every screen in every state into screenshots/, from a server of their own with the sample course.
import { spawnSync } from "node:child_process";
import { rmSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale, installIfNeeded, projectDir, say } from "./install.mjs";

process.chdir(projectDir);
await installIfNeeded();
await buildIfStale("site");

const folder = join(projectDir, "screenshots");
rmSync(folder, { recursive: true, force: true });
const args = ["node_modules/@playwright/test/cli.js", "test", "--config", "tests/gallery/config.ts"];
const run = spawnSync(process.execPath, [...args, ...process.argv.slice(2)], { stdio: "inherit" });
if (run.status === 0) say(`The pictures are in ${folder}.`);
process.exitCode = run.status ?? 1;
