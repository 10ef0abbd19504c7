// @ts-check
// The journeys against two processes behind nginx on one PostgreSQL: `npm run journeys:two -- s3` or `-- disk`, and what else Playwright takes.
import { spawnSync } from "node:child_process";
import { findOrInstallBrowser } from "./browser.mjs";
import { installNginx, installS3Server } from "./debian.mjs";
import { buildIfStale, giveUp, installIfNeeded, projectDir } from "./install.mjs";

const [files, ...args] = process.argv.slice(2);
if (files !== "s3" && files !== "disk") giveUp("Say where the files are: npm run journeys:two -- s3, or -- disk");

process.chdir(projectDir);
await installIfNeeded();
const browser = findOrInstallBrowser();
installNginx();
if (files === "s3") installS3Server(", or without S3: npm run journeys:two -- disk");
await buildIfStale("site");
await buildIfStale("demo");
const run = spawnSync(process.execPath, ["node_modules/@playwright/test/cli.js", "test", ...args], {
  stdio: "inherit",
  env: { ...process.env, CHROMIUM: browser, JOURNEYS_ON: files },
});
process.exit(run.status ?? 1);
