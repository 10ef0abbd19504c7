// @ts-check
// The steps of deploy/Dockerfile without an engine: each stage in a copy of a new Debian with Node.js, as node:20-slim is one.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { projectDir, say } from "../install.mjs";
import { environmentInside, Machine, must } from "./machine.mjs";

/** @typedef {{ machine: Machine, folder: string, user: string, environment: Record<string, string> }} Stage */

/** The base image's entry point: runs a program directly, anything else by node. */
const entry = 'if [ -x "$1" ] || command -v "$1" > /dev/null; then exec "$@"; else exec node "$@"; fi';

/** Builds the image, starts it as its account and asks its health check. Returns what was seen. @param {string} debian @param {string} folder */
export async function runImage(debian, folder) {
  /** @type {Stage[]} */
  const stages = [];
  /** @type {Map<string, Stage>} */
  const named = new Map();
  /** @type {Record<string, string[]>} */
  const commands = {};
  try {
    for (const [instruction, rest] of instructionsOf(join(projectDir, "deploy/Dockerfile"))) {
      say(`\n--- ${instruction} ${rest}`);
      if (instruction === "FROM") {
        const [image = "", , name = ""] = rest.split(" ");
        if (!image.startsWith("node:20-")) throw new Error(`${image} is no Debian with Node.js.`);
        const machine = new Machine(join(folder, `stage-${stages.length}`));
        const stage = { machine, folder: "/", user: "root", environment: {} };
        stages.push(stage);
        named.set(name, stage);
        machine.install(debian);
        machine.sh("useradd --uid 1000 --create-home node");
        continue;
      }
      const stage = stages.at(-1);
      if (stage === undefined) throw new Error(`${instruction} stands before FROM.`);
      if (instruction === "RUN") stage.machine.sh(inStage(stage, rest), { fetches: true });
      else if (instruction === "COPY") copy(stage, rest.split(" "), named);
      else if (instruction === "WORKDIR") stage.machine.sh(`mkdir -p ${(stage.folder = rest)}`);
      else if (instruction === "ENV") Object.assign(stage.environment, Object.fromEntries(pairsOf(rest)));
      else if (instruction === "USER") stage.user = rest;
      else if (instruction === "HEALTHCHECK" || instruction === "CMD") commands[instruction] = wordsOf(rest);
      else if (instruction !== "VOLUME" && instruction !== "EXPOSE") throw new Error(`${instruction} is not played.`);
    }
    return await start(/** @type {Stage} */ (stages.at(-1)), commands["CMD"] ?? [], commands["HEALTHCHECK"] ?? []);
  } finally {
    for (const { machine } of stages) machine.close();
  }
}

/** @param {Stage} stage @param {string[]} command @param {string[]} check */
async function start(stage, command, check) {
  const settings = { PUBLIC_URL: "https://course.example.com", ADMIN_EMAIL: "you@example.com", LOG_LEVEL: "warn" };
  const site = stage.machine.start(inStage(stage, asUser(stage, ["sh", "-c", entry, "sh", ...command]), settings));
  let isHealthy = false;
  for (let tries = 0; tries < 60 && !isHealthy; tries++) {
    await wait(1000);
    const [program = "", ...args] = stage.machine.inside(["sh", "-c", inStage(stage, asUser(stage, check))]);
    isHealthy = spawnSync(program, args, { stdio: "inherit", env: environmentInside(process.env) }).status === 0;
  }
  const code = await site.stop();
  if (!isHealthy || code !== 0) throw new Error(`The image was ${isHealthy ? "" : "never "}healthy, and ended with ${code}.`);
  const [size] = stage.machine.read(["du", "-sm", "/opt/pipwright"]).split("\t");
  return `the image's steps: healthy as ${stage.user}, ended with 0; ${size} MB on top of its base`;
}

/** Lines of a shell in the folder and environment of a stage. @param {Stage} stage @param {string} lines @param {Record<string, string>} [more] */
function inStage({ folder, environment }, lines, more = {}) {
  const exports = Object.entries({ ...environment, ...more }).map(([name, value]) => `export ${name}=${quoted(value)}`);
  return [`cd ${folder}`, ...exports, lines].join("\n");
}

/** @param {Stage} stage @param {string[]} words */
const asUser = ({ user }, words) => `exec setpriv --reuid=${user} --regid=${user} --init-groups ${words.map(quoted).join(" ")}`;

/** @param {Stage} stage @param {string[]} words @param {Map<string, Stage>} named */
function copy(stage, words, named) {
  const to = words.pop() ?? "";
  const target = stage.machine.path(join(stage.folder, to));
  const [first = "", ...others] = words;
  if (first.startsWith("--from=")) {
    const from = named.get(first.replace("--from=", ""))?.machine.path(others[0] ?? "") ?? "";
    return must("cp", ["-a", from, target]);
  }
  if (first !== ".") return must("cp", [...words.map((word) => join(projectDir, word)), target]);
  const ignored = readFileSync(join(projectDir, "deploy/Dockerfile.dockerignore"), "utf8").trim().split("\n");
  const without = ignored.map((pattern) => `--exclude=${quoted(`./${pattern}`)}`).join(" ");
  const read = `tar -C ${quoted(projectDir)} --anchored --no-wildcards-match-slash ${without} -cf - .`;
  return must("sh", ["-c", `${read} | tar -C ${quoted(target)} --no-same-owner -xf -`]);
}

/** @param {string} file @returns {[string, string][]} */
function instructionsOf(file) {
  const lines = readFileSync(file, "utf8")
    .replaceAll(/^#.*\n/gm, "")
    .replaceAll(/\\\n\s*/g, "");
  return [...lines.matchAll(/^([A-Z]+) (.*)$/gm)].map(([, instruction = "", rest = ""]) => [instruction, rest]);
}

/** The list at the end of an instruction. @param {string} rest @returns {string[]} */
const wordsOf = (rest) => JSON.parse(rest.slice(rest.indexOf("[")));

/** @param {string} rest @returns {[string, string][]} */
const pairsOf = (rest) => rest.split(" ").map((pair) => [pair.slice(0, pair.indexOf("=")), pair.slice(pair.indexOf("=") + 1)]);

/** @param {string} word */
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;
