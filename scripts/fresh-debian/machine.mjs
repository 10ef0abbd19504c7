// @ts-check
// A new Debian in a folder: this machine's sources of packages, Node.js, and a network of its own.
import { spawn, spawnSync } from "node:child_process";
import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { homedir } from "node:os";
import { dirname, join } from "node:path";
import { settingNames } from "../forget-settings.mjs";
import { say } from "../install.mjs";

/** What packages are fetched with here; copied, so that they are fetched from the same places there. */
const fetchSettings = [
  "/etc/resolv.conf",
  "/etc/ssl/certs/ca-certificates.crt",
  join(homedir(), ".npmrc"),
  "/etc/npmrc",
  "/usr/etc/npmrc",
];

export class Machine {
  /** @type {string} */
  root;
  #network;

  /** @param {string} root */
  constructor(root) {
    this.root = root;
    this.#network = spawn("unshare", ["--net", "sh", "-c", "ip link set lo up && exec sleep infinity"], {
      stdio: "ignore",
    });
  }

  /** Copies a new system into the folder. @param {string} debian */
  install(debian) {
    mkdirSync(this.root, { recursive: true });
    must("cp", ["-a", `${debian}/.`, this.root]);
    rmSync(this.path("/etc/apt/sources.list.d"), { recursive: true, force: true });
    for (const path of [
      ...fetchSettings,
      ...filesIn("/etc/apt/apt.conf.d"),
      ...filesIn("/etc/apt/sources.list.d"),
      "/etc/apt/sources.list",
    ]) {
      if (!existsSync(path)) continue;
      mkdirSync(dirname(this.path(path)), { recursive: true });
      rmSync(this.path(path), { force: true });
      copyFileSync(path, this.path(path));
    }
    this.#installNode();
    appendFileSync(this.path("/etc/hosts"), "127.0.0.1 localhost course.example.com\n");
    for (const [from, ...options] of [
      ["/proc", "--rbind"],
      ["/dev", "--rbind"],
      ["/sys", "--rbind"],
    ]) {
      mkdirSync(this.path(/** @type {string} */ (from)), { recursive: true });
      must("mount", [...options, /** @type {string} */ (from), this.path(/** @type {string} */ (from))]);
    }
    // systemd is the part that is played: no process of this kind runs in a folder.
    copyFileSync(join(import.meta.dirname, "systemctl.mjs"), this.path("/usr/local/bin/systemctl"));
    writeFileSync(this.path("/usr/local/bin/journalctl"), '#!/bin/sh\ncat "/var/log/$2.log"\n');
    must("chmod", ["0755", this.path("/usr/local/bin/systemctl"), this.path("/usr/local/bin/journalctl")]);
  }

  #installNode() {
    const npm = join(dirname(dirname(process.execPath)), "lib/node_modules/npm");
    mkdirSync(this.path("/usr/local/lib/node_modules"), { recursive: true });
    copyFileSync(process.execPath, this.path("/usr/local/bin/node"));
    cpSync(npm, this.path("/usr/local/lib/node_modules/npm"), { recursive: true });
    for (const name of ["npm", "npx"])
      must("ln", ["-s", `../lib/node_modules/npm/bin/${name}-cli.js`, this.path(`/usr/local/bin/${name}`)]);
  }

  /** @param {string} path in the system @returns {string} outside of it */
  path(path) {
    return this.root + path;
  }

  /**
   * The words of a command that runs in the system. In its own network unless it fetches something.
   * @param {string[]} command @param {{ fetches?: boolean }} [options]
   */
  inside(command, { fetches = false } = {}) {
    const network = fetches ? [] : ["nsenter", `--net=/proc/${this.#network.pid}/ns/net`];
    return [...network, "chroot", this.root, ...command];
  }

  /** Runs lines of a shell as root in /srv; ends the run at the first that fails. @param {string} lines @param {{ fetches?: boolean }} [options] */
  sh(lines, options) {
    const [program = "", ...args] = this.inside(["sh", "-exc", `cd /srv\n${lines}`], options);
    const { status } = spawnSync(program, args, { stdio: "inherit", env: environmentInside(process.env) });
    if (status !== 0) throw new Error(`These lines do not work:\n${lines}`);
  }

  /** Starts lines of a shell that serve; `stop` ends them and returns the exit code. @param {string} lines */
  start(lines) {
    const [program = "", ...args] = this.inside(["sh", "-exc", `cd /srv\n${lines}`]);
    const child = spawn(program, args, { stdio: "inherit", env: environmentInside(process.env), detached: true });
    return {
      /** @returns {Promise<number | null>} */
      stop: () =>
        new Promise((resolve) => {
          if (child.exitCode !== null) return resolve(child.exitCode);
          child.once("exit", (code) => resolve(code));
          process.kill(-(/** @type {number} */ (child.pid)), "SIGTERM");
        }),
    };
  }

  /** Runs a program of the system and returns what it prints. @param {string[]} command @param {Record<string, string>} [more] */
  read(command, more = {}) {
    return this.#read(this.inside(command), more);
  }

  /** The same with a program of this machine, in the other's network. @param {string[]} command */
  outside(command) {
    return this.#read(["nsenter", `--net=/proc/${this.#network.pid}/ns/net`, ...command], {});
  }

  /** @param {string[]} command @param {Record<string, string>} more */
  #read(command, more) {
    const [program = "", ...args] = command;
    const { status, stdout, stderr } = spawnSync(program, args, {
      encoding: "utf8",
      env: { ...environmentInside(process.env), ...more },
    });
    if (status !== 0) throw new Error(`${command.join(" ")} failed:\n${stdout}${stderr}`);
    return stdout;
  }

  /** Stops what systemctl has started, and the network. */
  close() {
    const folder = this.path("/run/units");
    for (const name of existsSync(folder) ? readdirSync(folder) : []) this.read(["systemctl", "stop", name]);
    this.#network.kill();
  }
}

/**
 * Returns what the system has of this machine's environment: how packages are fetched, and no setting, which may name a live bucket or database.
 * @param {NodeJS.ProcessEnv} environment @returns {NodeJS.ProcessEnv}
 */
export function environmentInside(environment) {
  const ofThisRun = ["NODE_OPTIONS", "NODE_ENV", "TMPDIR", "FRESH_DEBIAN", "PWD", "OLDPWD", "INIT_CWD", ...settingNames()];
  const others = Object.entries(environment).filter(([name]) => !name.startsWith("npm_") && !ofThisRun.includes(name));
  return {
    ...Object.fromEntries(others),
    HOME: homedir(),
    PATH: "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin",
    DEBIAN_FRONTEND: "noninteractive",
    LC_ALL: "C.UTF-8",
  };
}

/** Makes a Debian 12 in a folder, unless it is there already. @param {string} folder */
export function makeDebian(folder) {
  if (existsSync(folder)) return;
  say("Making a Debian 12 by mmdebstrap (some minutes)…");
  // Renamed when it is whole: one that was broken off is none for the next run.
  const part = `${folder}.part`;
  must("rm", ["-rf", "--one-file-system", part]);
  const packages = "--include=ca-certificates,libstdc++6";
  must("mmdebstrap", ["--quiet", "--variant=minbase", packages, ...aptOptions(), "bookworm", part, ...aptSources()]);
  renameSync(part, folder);
}

const filesIn = (/** @type {string} */ folder) =>
  existsSync(folder) ? readdirSync(folder).map((name) => join(folder, name)) : [];
const aptOptions = () =>
  filesIn("/etc/apt/apt.conf.d")
    .filter((path) => /Acquire::/.test(readFileSync(path, "utf8")))
    .map((path) => `--aptopt=${path}`);
const aptSources = () =>
  [
    ...filesIn("/etc/apt/sources.list.d").filter((path) => /debian\.(list|sources)$/.test(path)),
    "/etc/apt/sources.list",
  ].filter((path) => existsSync(path));

/** @param {string} program @param {string[]} args */
export function must(program, args) {
  const { status, stderr } = spawnSync(program, args, { encoding: "utf8", maxBuffer: 2 ** 26 });
  if (status !== 0) throw new Error(`${program} ${args.join(" ")} failed: ${stderr}`);
}
