import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { chmod, mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, startSite, test } from "../support/site.ts";

const projectDir = join(import.meta.dirname, "../..");

async function startAndFail(environment: Record<string, string>): Promise<{ code: number | null; lines: string[] }> {
  const child = spawn(process.execPath, [join(projectDir, "dist/server/main.js")], {
    env: { ...process.env, NODE_ENV: "test", ADMIN_PASSWORD: "a long admin password", ...environment },
  });
  let output = "";
  child.stderr.on("data", (data: Buffer) => (output += data.toString()));
  const [code] = (await once(child, "exit")) as [number | null];
  return { code, lines: output.trim().split("\n") };
}

test("a start that cannot succeed says why and fails", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-start-"));
  await chmod(dataDir, 0o755);
  const busy = createServer().listen(0, "localhost");
  await once(busy, "listening");
  try {
    const wrong = await startAndFail({ DATA_DIR: dataDir, PORT: "high", ADMIN_EMAIL: "nobody" });
    expect(wrong.code).toBe(1);
    expect(wrong.lines).toEqual([
      "The settings are not right:",
      '  PORT: must be a whole number from 0 to 65535, not "high"',
      "  ADMIN_EMAIL: must be an e-mail address",
    ]);

    const { port } = busy.address() as AddressInfo;
    const taken = await startAndFail({ DATA_DIR: dataDir, PORT: String(port) });
    expect(taken.code).toBe(1);
    expect(taken.lines).toEqual([`Port ${port} is in use. Stop the other program, or choose another: PORT=3001 npm start`]);

    const elsewhere = await startAndFail({ DATABASE_URL: "postgres://localhost:1/none", DATA_DIR: dataDir, PORT: "0" });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.lines).toHaveLength(1);
    expect(elsewhere.lines[0]).toMatch(/^Cannot reach the database: /);
  } finally {
    busy.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a second start on the same folder says so in one line and leaves the first alone", async () => {
  const site = await startSite();
  try {
    const second = await startAndFail({ DATA_DIR: site.dataDir, PORT: "0" });
    expect(second.code).toBe(1);
    expect(second.lines).toHaveLength(1);
    expect(second.lines[0]).toMatch(/^Already running on this data folder/);
    expect((await fetch(`${site.url}/readyz`)).status).toBe(200);
  } finally {
    await site.stop();
  }
});
