import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { fixedPort } from "./fixed-port.ts";
import { untilListening } from "./listening.ts";

const program = "/usr/sbin/pgbouncer";

/** Whether PgBouncer is installed, as `npm test` does on Debian. */
export const hasPgBouncer = spawnSync(program, ["--version"]).status === 0;

export interface Pooler {
  /** The address of the database through the pooler. */
  url: string;
  close(): Promise<void>;
}

/** It refuses to run as root. */
const nobody = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

/** Starts PgBouncer in front of a database, with `size` connections to it, each lent to one transaction at a time. */
export async function startPgBouncer(target: string, size: number): Promise<Pooler> {
  const { hostname, port: targetPort, username, pathname } = new URL(target);
  const folder = await mkdtemp(join(tmpdir(), "pipwright-pgbouncer-"));
  await chmod(folder, 0o755);
  const port = await fixedPort();
  const name = pathname.slice(1);
  const settings = [
    "[databases]",
    `${name} = host=${hostname} port=${targetPort} dbname=${name} user=${username}`,
    "[pgbouncer]",
    "listen_addr = 127.0.0.1",
    `listen_port = ${port}`,
    "unix_socket_dir =",
    "auth_type = any",
    "pool_mode = transaction",
    `default_pool_size = ${size}`,
  ];
  const file = join(folder, "pgbouncer.ini");
  await writeFile(file, settings.join("\n"));
  const child = spawn(program, [file], { stdio: "ignore", ...nobody });
  await untilListening(port);
  return {
    url: `postgres://${username}@127.0.0.1:${port}/${name}`,
    async close() {
      child.kill("SIGKILL");
      if (child.exitCode === null && child.signalCode === null) await once(child, "exit");
      await rm(folder, { recursive: true, force: true });
    },
  };
}
