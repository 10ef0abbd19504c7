import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { createServer } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test as base } from "@playwright/test";

const projectDir = join(import.meta.dirname, "../..");

export const adminEmail = "owner@example.com";
export const adminPassword = "a long admin password";

/** The built product as a process of its own, on an embedded database and a data folder of its own. */
export interface Site {
  url: string;
  dataDir: string;
  /** The newest code that was mailed to an address. */
  codeFor(email: string): Promise<string>;
  mailsFor(email: string): Promise<{ subject: string; text: string }[]>;
  /** Ends the process without a chance to tidy up. */
  kill(): Promise<void>;
  /** Starts it again on the same folder and port. */
  start(): Promise<void>;
  stop(): Promise<void>;
  pid(): number;
}

export async function startSite(environment: Record<string, string> = {}): Promise<Site> {
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-site-"));
  // Of mode 0700, root's own folder could not hold the database, which runs under another account.
  await chmod(dataDir, 0o755);
  const port = await freePort();
  const url = `http://localhost:${port}`;
  let child: ChildProcess | undefined;

  const start = async (): Promise<void> => {
    const started = spawn(process.execPath, [join(projectDir, "dist/server/main.js")], {
      cwd: projectDir,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_ENV: "test",
        PORT: String(port),
        DATA_DIR: dataDir,
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: adminPassword,
        RATE_LIMITS: "off",
        LOG_LEVEL: "warn",
        ...environment,
      },
    });
    child = started;
    let output = "";
    started.stdout.on("data", (data: Buffer) => (output += data.toString()));
    started.stderr.on("data", (data: Buffer) => (output += data.toString()));
    for (let tries = 0; tries < 600; tries++) {
      if (started.exitCode !== null) throw new Error(`The site did not start:\n${output}`);
      const isReady = await fetch(`${url}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The site did not answer within 30 s:\n${output}`);
  };
  const end = async (signal: NodeJS.Signals): Promise<void> => {
    if (!child || child.exitCode !== null || child.signalCode !== null) return;
    const exited = once(child, "exit");
    child.kill(signal);
    await exited;
  };
  const mailsFor = async (email: string): Promise<{ subject: string; text: string }[]> =>
    (await fetch(`${url}/mailbox.json?to=${encodeURIComponent(email)}`)).json() as Promise<{ subject: string; text: string }[]>;

  await start();
  return {
    url,
    dataDir,
    mailsFor,
    async codeFor(email) {
      for (let tries = 0; tries < 100; tries++) {
        for (const mail of await mailsFor(email)) {
          const code = /\b\d{6}\b/.exec(mail.text)?.[0];
          if (code !== undefined) return code;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`No code was mailed to ${email}.`);
    },
    kill: () => end("SIGKILL"),
    start,
    pid: () => child?.pid ?? 0,
    async stop() {
      await end("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  server.close();
  await once(server, "close");
  if (address === null || typeof address === "string") throw new Error("No free port.");
  return address.port;
}

/** A journey gets a running site, shared by the journeys of one worker. */
export const test = base.extend<object, { site: Site }>({
  site: [
    // oxlint-disable-next-line no-empty-pattern -- Playwright reads the fixtures' names from the pattern
    async ({}, use) => {
      const site = await startSite();
      await use(site);
      await site.stop();
    },
    { scope: "worker", timeout: 60_000 },
  ],
  baseURL: async ({ site }, use) => use(site.url),
});

export { expect } from "@playwright/test";
