// @ts-check
// The run itself, in namespaces of mounts and processes that scripts/fresh-debian.mjs has made.
import { createHash, randomInt } from "node:crypto";
import { copyFileSync, existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { buildIfStale, installIfNeeded, projectDir, say } from "../install.mjs";
import { blocksOf } from "./blocks.mjs";
import { runImage } from "./image.mjs";
import { Machine, makeDebian, must } from "./machine.mjs";

const [, , folder = ""] = process.argv;
const https = "https://course.example.com";
const authority = "/var/lib/caddy/.local/share/caddy/pki/authorities/local/root.crt";

await installIfNeeded();
await buildIfStale("site");
const debian = process.env["FRESH_DEBIAN"] ?? join(folder, "debian");
makeDebian(debian);
const machine = new Machine(join(folder, "root"));
/** @type {string[]} */
const seen = [];
try {
  machine.install(debian);
  makeReleases();
  copyFileSync(join(import.meta.dirname, "course.mjs"), machine.path("/srv/course.mjs"));
  await followPage();
  seen.push(await runImage(debian, folder));
  for (const line of seen) say(`seen: ${line}`);
} finally {
  machine.close();
}

/** The release, and one that follows it: another number and one migration more. */
function makeReleases() {
  must("npm", ["pack", "--silent", "--pack-destination", machine.path("/srv")]);
  const next = join(folder, "next");
  mkdirSync(next);
  must("tar", ["-xzf", machine.path("/srv/pipwright-0.1.0.tgz"), "-C", next]);
  for (const name of ["package.json", "npm-shrinkwrap.json"]) {
    const file = join(next, "package", name);
    writeFileSync(file, readFileSync(file, "utf8").replace('"version": "0.1.0"', '"version": "0.2.0"'));
  }
  writeFileSync(join(next, "package/migrations/9999_upgrade.sql"), "comment on table videos is 'Of the next release.';\n");
  must("tar", ["-czf", machine.path("/srv/pipwright-0.2.0.tgz"), "-C", next, "package"]);
}

/** Runs the blocks in their order, and after each looks at what it should have done. */
async function followPage() {
  let password = "";
  let before = "";
  for (const { kind, path, text } of blocksOf(join(projectDir, "docs/operations.md"))) {
    say(`\n--- ${kind === "file" ? `the file ${path}` : kind}\n${text}\n---`);
    if (kind === "file") {
      writeFileSync(machine.path(path), `${text}\n`, { mode: 0o600 });
      continue;
    }
    if (kind === "serves") {
      await tryRestored(text, password, before);
      continue;
    }
    if (text.includes("restart caddy")) takeOwnAuthority();
    machine.sh(text, { fetches: kind === "fetches" });
    if (text.includes("enable --now pipwright")) password = await firstPassword();
    if (text.includes("restart caddy")) before = await addCourse(password);
    if (text.includes("restart pipwright")) await checkUpgrade(password, before);
  }
  tryByNpx();
}

/** A certificate of Caddy's own authority, since nobody outside can reach this name. */
function takeOwnAuthority() {
  const file = machine.path("/opt/pipwright-0.1.0/deploy/Caddyfile");
  const text = readFileSync(file, "utf8");
  const changed = text.replace("{$SITE_DOMAIN} {", "{$SITE_DOMAIN} {\n\ttls internal");
  if (changed === text) throw new Error("The Caddyfile has no such site.");
  writeFileSync(file, changed);
}

async function firstPassword() {
  for (let tries = 0; tries < 120; tries++) {
    const [, password] = /password: (\S+)/.exec(machine.read(["journalctl", "-u", "pipwright"])) ?? [];
    if (password !== undefined && (await answers("http://127.0.0.1:3000/readyz"))) return password;
    await wait(500);
  }
  throw new Error(`The site did not start:\n${machine.read(["journalctl", "-u", "pipwright"])}`);
}

/** Looks at the site over https by the authority's certificate, and adds a lesson. Returns what the site has of it. @param {string} password */
async function addCourse(password) {
  for (let tries = 0; tries < 60 && !(await answers(`${https}/readyz`)); tries++) await wait(500);
  const page = curl(`${https}/`);
  if (!page.includes("<h1")) throw new Error("The landing page is another.");
  seen.push(`${https}/ ${page.length} bytes, /readyz ${curl(`${https}/readyz`)}`);
  const course = inCourse("add", https, password);
  seen.push(`a lesson with a film, played over https: ${course}`);
  return course;
}

/** @param {string} text @param {string} password @param {string} before */
async function tryRestored(text, password, before) {
  const site = machine.start(text);
  try {
    const origin = "http://127.0.0.1:3001";
    for (let tries = 0; tries < 120 && !(await answers(`${origin}/readyz`)); tries++) await wait(500);
    requireSame("the restored site", inCourse("check", origin, password), before);
  } finally {
    await site.stop();
  }
  const [stored, restored] = ["/var/lib/pipwright", "/var/tmp/restored"].map((dataDir) =>
    hashesOf(join(machine.path(dataDir), "objects")),
  );
  if (stored !== restored) throw new Error("The restored files are others.");
  seen.push(`restored: the same lesson and ${stored?.split("\n").length} equal files`);
}

/** @param {string} password @param {string} before */
async function checkUpgrade(password, before) {
  for (let tries = 0; tries < 120 && !(await answers(`${https}/readyz`)); tries++) await wait(500);
  requireSame("the upgraded site", inCourse("check", https, password), before);
  const old = [
    "sh",
    "-c",
    "cd /; DATA_DIR=/var/lib/pipwright runuser -u pipwright -- env PORT=3002 /opt/pipwright-0.1.0/scripts/pipwright.mjs 2>&1 || true",
  ];
  machine.sh("systemctl stop pipwright");
  const refusal = machine.read(old).trim();
  if (!refusal.includes("newer than this program")) throw new Error(`The older release said: ${refusal}`);
  machine.sh("systemctl start pipwright");
  seen.push(`upgraded: the same lesson by 0.2.0; 0.1.0 then says: ${refusal}`);
}

/** As the page has it, by an account without rights, but on another port, since it fetches its packages. */
function tryByNpx() {
  const port = randomInt(20_000, 30_000);
  const lines = [
    "cd",
    `PORT=${port} setsid npx --yes ./pipwright-0.1.0.tgz > npx.log 2>&1 &`,
    "for _ in $(seq 300); do grep -q 'is ready' npx.log && break; sleep 1; done",
    "cat npx.log",
    "kill -TERM -$!; wait",
    `grep -q 'is ready: http://localhost:${port}' npx.log && ls -d data`,
  ];
  machine.sh("useradd --create-home nok; cp pipwright-0.1.0.tgz ~nok/; chown -R nok: ~nok; systemctl stop pipwright");
  writeFileSync(machine.path("/srv/npx.sh"), lines.join("\n"));
  machine.sh("runuser -u nok -- env HOME=/home/nok sh /srv/npx.sh", { fetches: true });
  seen.push("npx ./pipwright-0.1.0.tgz is ready, with its data in ./data");
}

/** @param {string} url */
async function answers(url) {
  try {
    curl(url);
    return true;
  } catch {
    return false;
  }
}

/** By this machine's curl in the other's network. @param {string} url @returns {string} */
function curl(url) {
  const certificate = existsSync(machine.path(authority)) ? ["--cacert", machine.path(authority)] : [];
  return machine.outside([
    "curl",
    "-sSf",
    "--noproxy",
    "*",
    ...certificate,
    "--resolve",
    "course.example.com:443:127.0.0.1",
    url,
  ]);
}

/** @param {"add" | "check"} what @param {string} origin @param {string} password */
function inCourse(what, origin, password) {
  return machine.read(["node", "/srv/course.mjs", what, origin, password], { NODE_EXTRA_CA_CERTS: authority }).trim();
}

/** @param {string} what @param {string} found @param {string} expected */
function requireSame(what, found, expected) {
  if (found !== expected) throw new Error(`What ${what} has is ${found}, and not ${expected}.`);
}

/** @param {string} objects */
function hashesOf(objects) {
  const hashOf = (/** @type {string} */ name) =>
    createHash("sha256")
      .update(readFileSync(join(objects, name)))
      .digest("hex");
  return readdirSync(objects)
    .toSorted()
    .map((name) => `${name} ${hashOf(name)}`)
    .join("\n");
}
