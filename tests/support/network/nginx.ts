import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { untilListening } from "./listening.ts";

/** Whether nginx is installed, as `npm test` does on Debian. */
export const hasNginx = spawnSync("nginx", ["-v"]).status === 0;

export interface Nginx {
  close(): Promise<void>;
}

/** Starts nginx before processes of the site on these ports, with the file of `deploy` as it says for several; without TLS. */
export async function startNginx(port: number, upstreams: readonly number[]): Promise<Nginx> {
  const folder = await mkdtemp(join(tmpdir(), "pipwright-nginx-"));
  const deployed = await readFile(join(import.meta.dirname, "../../../deploy/nginx/pipwright.conf"), "utf8");
  const [line = ""] = /^ *server 127\.0\.0\.1:3000.*\n/m.exec(deployed) ?? [];
  const own = deployed
    .replace(line, upstreams.map((upstream) => line.replace("3000", String(upstream))).join(""))
    .replace(/^server \{\n    listen 80;[\s\S]*?^\}\n/m, "")
    .replaceAll(/^ *(listen \[::\]|ssl_|access_log).*\n/gm, "")
    .replace("listen 443 ssl http2;", `listen 127.0.0.1:${port};`)
    // The mailbox opens to nobody behind a proxy (MAIL-2): it is read as on this machine.
    .replace(
      "server_name course.example.com;",
      "location /mailbox { proxy_pass http://pipwright; proxy_set_header Host $host; }",
    )
    // The usual ports are not in a browser's Host, this one is.
    .replaceAll("$host;", "$http_host;");
  const temporary = ["client_body", "proxy", "fastcgi", "uwsgi", "scgi"].map((name) => `${name}_temp_path ${folder}/${name};`);
  const file = join(folder, "nginx.conf");
  await writeFile(file, `daemon off; pid ${folder}/pid; events {} http { access_log off; ${temporary.join(" ")}\n${own}\n}`);
  const child = spawn("nginx", ["-p", folder, "-c", file, "-e", join(folder, "error.log")], { stdio: "ignore" });
  await untilListening(port);
  return {
    async close() {
      child.kill();
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
