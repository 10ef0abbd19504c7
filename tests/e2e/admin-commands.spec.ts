import { execFile } from "node:child_process";
import { join } from "node:path";
import { promisify } from "node:util";
import { expect, test } from "@playwright/test";
import { adminEmail, adminPassword, startSite, type Site } from "../support/sites/site-process.ts";

const projectDir = join(import.meta.dirname, "../..");

/** Runs the built command on a site's data folder, as `npm run admin:…` does; returns what it prints. */
async function run(site: Site, command: string): Promise<string> {
  const env = { ...process.env, ...site.environment, NODE_ENV: "test", DATA_DIR: site.dataDir, ADMIN_EMAIL: adminEmail };
  const { stdout } = await promisify(execFile)(process.execPath, [join(projectDir, "dist/server/admin.js"), command], { env });
  return stdout;
}

async function statusOfSignIn(site: Site, password: string): Promise<number> {
  const reply = await fetch(`${site.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ email: adminEmail, password }),
  });
  return reply.status;
}

const passwordIn = (output: string): string => /password: (\S+)/.exec(output)![1]!;

test("admin:reset-password sets a password on a running and on a stopped site", async () => {
  test.setTimeout(180_000);
  const site = await startSite();
  try {
    expect(await statusOfSignIn(site, adminPassword)).toBe(200);
    const first = passwordIn(await run(site, "reset-password"));
    expect(await statusOfSignIn(site, adminPassword)).toBe(400);
    expect(await statusOfSignIn(site, first)).toBe(200);

    await site.end();
    const second = passwordIn(await run(site, "reset-password"));
    expect(await run(site, "reset-2fa")).toContain(`The second factor of ${adminEmail} is removed.`);
    await site.start();
    expect(await statusOfSignIn(site, first)).toBe(400);
    expect(await statusOfSignIn(site, second)).toBe(200);
  } finally {
    await site.stop();
  }
});
