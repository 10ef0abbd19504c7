// @ts-check
// Which sites run from this clone. Each listens on a socket in a folder: a process id alone may be another program's after a reboot.
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync, rmSync } from "node:fs";
import { connect, createServer } from "node:net";
import { join, relative } from "node:path";
import { fileURLToPath } from "node:url";

// By the address: this is loaded before an old Node.js is refused, which has no `import.meta.dirname`.
const folder = fileURLToPath(new URL("../.cache/sites", import.meta.url));

/** Relative, since a long path is none for a socket. @param {string} name */
const socketOf = (name) => relative(process.cwd(), join(folder, name));

/** Lets other runs find this process while it lives. Where a socket cannot be made, they do not. */
export function announceSite() {
  const file = join(folder, String(process.pid));
  try {
    mkdirSync(folder, { recursive: true });
    rmSync(file, { force: true });
  } catch {
    return;
  }
  const server = createServer((connection) => connection.destroy());
  server.on("error", () => {}).unref();
  server.listen(socketOf(String(process.pid)), () => {
    try {
      // Another account's run may connect too, and learns nothing else by it.
      chmodSync(file, 0o777);
    } catch {
      // Not every shared folder lets a socket's mode be changed.
    }
  });
  process.once("exit", () => rmSync(file, { force: true }));
}

/** Returns the process id of a site that runs from this clone. What a killed one left does not count. */
export async function findRunningSite() {
  for (const name of existsSync(folder) ? readdirSync(folder) : []) if (await isListening(socketOf(name))) return name;
  return undefined;
}

/** @param {string} socket */
async function isListening(socket) {
  const connection = connect(socket);
  try {
    await once(connection, "connect");
    return true;
  } catch {
    return false;
  } finally {
    connection.destroy();
  }
}
