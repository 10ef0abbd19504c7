// @ts-check
// What stands before the site: nginx with the file of deploy.
import { execFileSync, spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as wait } from "node:timers/promises";
import { freePort } from "../site.mjs";

const projectDir = join(import.meta.dirname, "../..");
const host = "course.example.com";

/**
 * Starts nginx with deploy's file, whose ports, certificate and folder alone are others.
 * @param {string} folder @param {string} origin of the site @param {string} objects where its files are
 * @returns {Promise<{ place: import("./client.mjs").Place, stop: () => Promise<void> }>}
 */
export async function startNginx(folder, origin, objects) {
  const certificate = [
    "-keyout",
    "privkey.pem",
    "-out",
    "fullchain.pem",
    "-subj",
    `/CN=${host}`,
    "-addext",
    `subjectAltName=DNS:${host}`,
  ];
  const make = ["req", "-x509", "-newkey", "rsa:2048", "-nodes", ...certificate, "-days", "2"];
  execFileSync("openssl", make, { cwd: folder, stdio: "ignore" });
  const [plain, tls] = [await freePort(), await freePort()];
  const own = readFileSync(join(projectDir, "deploy/nginx/pipwright.conf"), "utf8")
    .replaceAll(/^ *(listen \[::\]|access_log).*\n/gm, "")
    .replace("listen 80;", `listen 127.0.0.1:${plain};`)
    .replace("listen 443 ", `listen 127.0.0.1:${tls} `)
    .replace("127.0.0.1:3000", new URL(origin).host)
    .replace("/var/lib/pipwright/objects/", `${objects}/`)
    .replaceAll(`/etc/letsencrypt/live/${host}`, folder);
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const user = process.getuid?.() === 0 ? "user root;" : "";
  const http = `include /etc/nginx/mime.types; access_log off; sendfile on; ${temporary.join(" ")}\n${own}`;
  writeFileSync(join(folder, "nginx.conf"), `${user} daemon off; pid ${folder}/nginx.pid; events {} http { ${http} }`);
  const child = spawn("nginx", ["-p", folder, "-c", join(folder, "nginx.conf"), "-e", join(folder, "nginx.log")], {
    stdio: "ignore",
  });
  await untilAnswered(`http://127.0.0.1:${plain}/`);
  const ca = readFileSync(join(folder, "fullchain.pem"), "utf8");
  return { place: { origin: `https://${host}:${tls}`, ca }, stop: () => end(child) };
}

/** @param {string} url */
async function untilAnswered(url) {
  for (let tries = 0; tries < 100; tries++) {
    const reply = await fetch(url, { redirect: "manual" }).catch(() => undefined);
    if (reply) return;
    await wait(50);
  }
  throw new Error(`Nothing answers at ${url}.`);
}

/** @param {import("node:child_process").ChildProcess} child */
async function end(child) {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill();
  await once(child, "exit");
}
