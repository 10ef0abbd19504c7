#!/usr/bin/env node
// @ts-check
// The command of the packed release: `pipwright` starts the site, `pipwright backup FILE` is what `npm run backup -- FILE` is in a clone.
import { refuseOldNode } from "./node-version.mjs";

refuseOldNode();

/** What each runs of dist/server, with its first arguments. @type {Record<string, [string, ...string[]]>} */
const commands = {
  start: ["main"],
  seed: ["seed"],
  backup: ["backup"],
  restore: ["restore"],
  "move-files": ["move-files"],
  "admin:reset-password": ["admin", "reset-password"],
  "admin:reset-2fa": ["admin", "reset-2fa"],
  "secrets:renew": ["renew-secrets"],
};

const [, , name = "start", ...rest] = process.argv;
const [file, ...first] = commands[name] ?? [];
if (file === undefined) {
  console.error(`pipwright has no command ${name}. There are: ${Object.keys(commands).join(", ")}.`);
  process.exit(1);
}
process.argv.splice(2, Infinity, ...first, ...rest);
await import(new URL(`../dist/server/${file}.js`, import.meta.url).href);
