#!/usr/bin/env node
// @ts-check
// Plays systemd in a folder without it: `enable --now`, `start`, `restart` and `stop` run a unit's ExecStart as its user, with its environment and folders. The
// unit's sandbox, Restart and dependencies are left out.
import { spawn, spawnSync } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, openSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const [verb, ...words] = process.argv.slice(2);
const [name = ""] = words.filter((word) => !word.startsWith("--")).map((word) => word.replace(/\.service$/, ""));
const pidFile = `/run/units/${name}`;
mkdirSync("/run/units", { recursive: true });
if (verb === "enable" || verb === "start") await start();
else if (verb === "stop") await stop();
else if (verb === "restart") {
  await stop();
  await start();
} else throw new Error(`systemctl ${verb} is not played.`);

async function start() {
  const path = [`/etc/systemd/system/${name}.service`, `/lib/systemd/system/${name}.service`].find((one) => existsSync(one));
  if (path === undefined) throw new Error(`There is no unit ${name}.`);
  const unit = [...readFileSync(path, "utf8").matchAll(/^(\w+)=(.*)$/gm)];
  const all = (/** @type {string} */ key) => unit.filter(([, one]) => one === key).map(([, , value = ""]) => value);
  const first = (/** @type {string} */ key) => all(key)[0];
  const user = first("User") ?? "root";
  const home = spawnSync("getent", ["passwd", user], { encoding: "utf8" }).stdout.split(":")[5] ?? "/";
  const folder = first("StateDirectory");
  if (folder !== undefined) {
    spawnSync("install", ["-d", "-o", user, "-g", user, `/var/lib/${folder}`]);
    chmodSync(`/var/lib/${folder}`, Number.parseInt(first("StateDirectoryMode") ?? "0755", 8));
  }
  const settings = all("Environment").flatMap((line) => line.split(" "));
  for (const file of all("EnvironmentFile"))
    settings.push(
      ...readFileSync(file, "utf8")
        .split("\n")
        .filter((line) => /^\w+=/.test(line)),
    );
  const env = Object.fromEntries(
    settings.map((line) => [line.slice(0, line.indexOf("=")), line.slice(line.indexOf("=") + 1).replace(/^"(.*)"$/, "$1")]),
  );
  const capabilities = (first("AmbientCapabilities") ?? "")
    .split(" ")
    .filter(Boolean)
    .map((one) => `+${one.replace("CAP_", "").toLowerCase()}`);
  const rights =
    capabilities.length > 0 ? [`--inh-caps=${capabilities.join(",")}`, `--ambient-caps=${capabilities.join(",")}`] : [];
  const log = openSync(`/var/log/${name}.log`, "a");
  const args = [`--reuid=${user}`, `--regid=${user}`, "--init-groups", ...rights, ...(first("ExecStart") ?? "").split(" ")];
  const path_ = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";
  const options = { cwd: first("WorkingDirectory") ?? "/", env: { PATH: path_, HOME: home, ...env }, detached: true };
  const child = spawn("setpriv", args, { ...options, stdio: ["ignore", log, log] });
  child.unref();
  writeFileSync(pidFile, String(child.pid));
  await wait(500);
}

async function stop() {
  if (!existsSync(pidFile)) return;
  const pid = Number(readFileSync(pidFile, "utf8"));
  rmSync(pidFile);
  process.kill(pid, "SIGTERM");
  for (let tries = 0; tries < 300 && existsSync(`/proc/${pid}`); tries++) await wait(100);
  if (existsSync(`/proc/${pid}`)) throw new Error(`${name} did not stop.`);
}
