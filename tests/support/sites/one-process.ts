import { execFile, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { promisify } from "node:util";
import { forgetSettings } from "../../../scripts/forget-settings.mjs";
import { fixedPort } from "../network/fixed-port.ts";
import { openToAccounts } from "./open-to-accounts.ts";

const projectDir = join(import.meta.dirname, "../../..");

export const adminEmail = "owner@example.com";
export const adminPassword = "a long admin password";
const mailboxToken = "the token of the mailbox";
/** What the start would print without MAILBOX_TOKEN, as a path. */
export const mailboxPath = `/mailbox?token=${encodeURIComponent(mailboxToken)}`;

/** How a process ended: one of the two is null. */
export interface Ending {
  code: number | null;
  signal: NodeJS.Signals | null;
}

/** The built product as a process of its own, on an embedded database and a data folder of its own. */
export interface Site {
  url: string;
  dataDir: string;
  /** What a command needs besides DATA_DIR, to work on the site's database. */
  environment: Record<string, string>;
  /** Every line on stdout and stderr, of all the starts. */
  lines: string[];
  /** The newest code that was mailed to an address. */
  codeFor(email: string): Promise<string>;
  mailsFor(email: string): Promise<{ subject: string; text: string }[]>;
  /** Ends the process without a chance to tidy up. */
  kill(): Promise<void>;
  /** Starts it again on the same folder and port, and waits until it is ready. */
  start(): Promise<void>;
  /** Starts the process without waiting for it. */
  launch(): void;
  /** Ends the process as `npm stop` would; the data folder stays. */
  end(): Promise<Ending>;
  /** How the process ended; undefined while it runs. */
  ending(): Ending | undefined;
  /** Ends the process and removes the data folder. */
  stop(): Promise<void>;
  pid(): number;
}

/**
 * A site of one process that is not started yet. Its folder is a copy of the one that `made-site.ts` made for the run, or `empty` for a first start. What the caller
 * changes in `environment` counts from the next start on; `fixed` is what it cannot change.
 */
export async function prepareProcess(
  environment: Record<string, string> = {},
  folder: "made" | "empty" = "made",
  fixed: Record<string, string> = {},
): Promise<Site> {
  // `npm run torture` and `npm run soak` come here without a configuration that has done it.
  forgetSettings();
  const given = { ...environment, ...fixed };
  const hasOwnData = given["DATA_DIR"] !== undefined || given["DATABASE_URL"] !== undefined;
  const dataDir = given["DATA_DIR"] ?? (await mkdtemp(join(tmpdir(), "pipwright-site-")));
  const made = process.env["MADE_SITE"];
  if (folder === "made" && made !== undefined && !hasOwnData) {
    // By the system's own: the database belongs to another account when root runs this, and node's copy loses that.
    await promisify(execFile)("cp", ["-a", `${made}/.`, dataDir]);
  }
  await openToAccounts(dataDir);
  const port = await fixedPort();
  const url = `http://localhost:${port}`;
  const lines: string[] = [];
  let child: ChildProcess | undefined;

  const launch = (): void => {
    child = spawn(process.execPath, [join(projectDir, "dist/server/main.js")], {
      cwd: projectDir,
      stdio: ["ignore", "pipe", "pipe"],
      env: {
        ...process.env,
        NODE_ENV: "test",
        PORT: String(port),
        DATA_DIR: dataDir,
        ADMIN_EMAIL: adminEmail,
        ADMIN_PASSWORD: adminPassword,
        MAILBOX_TOKEN: mailboxToken,
        RATE_LIMITS: "off",
        LOG_LEVEL: "warn",
        // No journey asks an outside service: nothing listens there.
        PRICE_API_URL: "http://127.0.0.1:2/",
        ...environment,
        ...fixed,
      },
    });
    for (const stream of [child.stdout, child.stderr]) {
      stream?.on("data", (data: Buffer) => lines.push(...data.toString().split("\n").filter(Boolean)));
    }
  };
  const ending = (): Ending | undefined =>
    child && (child.exitCode !== null || child.signalCode !== null)
      ? { code: child.exitCode, signal: child.signalCode }
      : undefined;
  const start = async (): Promise<void> => {
    const from = lines.length;
    launch();
    for (let tries = 0; tries < 1200; tries++) {
      if (ending()) throw new Error(`The site did not start:\n${lines.slice(from).join("\n")}`);
      const isReady = await fetch(`${url}/readyz`).then(
        (reply) => reply.ok,
        () => false,
      );
      if (isReady) return;
      await new Promise((resolve) => setTimeout(resolve, 50));
    }
    throw new Error(`The site did not answer within a minute:\n${lines.slice(from).join("\n")}`);
  };
  const endBy = async (signal: NodeJS.Signals): Promise<Ending> => {
    if (!child) throw new Error("The site was never started.");
    if (!ending()) {
      const exited = once(child, "exit");
      child.kill(signal);
      await exited;
    }
    return ending() as Ending;
  };

  return {
    url,
    dataDir,
    environment: {},
    lines,
    ...mailboxAt(url),
    async kill() {
      await endBy("SIGKILL");
    },
    start,
    launch,
    end: () => endBy("SIGTERM"),
    ending,
    pid: () => child?.pid ?? 0,
    async stop() {
      if (child) await endBy("SIGTERM");
      await rm(dataDir, { recursive: true, force: true });
    },
  };
}

/** What was mailed by the site at an address, from its mailbox. */
export function mailboxAt(url: string): Pick<Site, "mailsFor" | "codeFor"> {
  const mailsFor = async (email: string): Promise<{ subject: string; text: string }[]> => {
    const headers = { authorization: `Bearer ${mailboxToken}` };
    const reply = await fetch(`${url}/mailbox.json?to=${encodeURIComponent(email)}`, { headers });
    if (!reply.ok) throw new Error(`The mailbox replied ${reply.status}.`);
    return reply.json() as Promise<{ subject: string; text: string }[]>;
  };
  return {
    mailsFor,
    async codeFor(email) {
      for (let tries = 0; tries < 600; tries++) {
        for (const mail of await mailsFor(email)) {
          const code = /\b\d{6}\b/.exec(mail.text)?.[0];
          if (code !== undefined) return code;
        }
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      throw new Error(`No code was mailed to ${email}.`);
    },
  };
}
