// @ts-check
// Before `npm pack`: builds, and adds the lock file by the name under which a package may have one.
import { copyFileSync } from "node:fs";
import { join } from "node:path";
import { buildIfStale, installIfNeeded, projectDir } from "./install.mjs";

await installIfNeeded();
await buildIfStale("site");
// `npm ci` in the unpacked release installs the very packages that the tests ran with. `postpack` removes it.
copyFileSync(join(projectDir, "package-lock.json"), join(projectDir, "npm-shrinkwrap.json"));
