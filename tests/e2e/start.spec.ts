import { spawn } from "node:child_process";
import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { chmod, mkdtemp, readFile, rename, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, startSite, test } from "../support/sites/site.ts";

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
    expect(taken.lines).toEqual([`Port ${port} is in use. Stop the other program, or set another PORT, such as 3001`]);

    const elsewhere = await startAndFail({ DATABASE_URL: "postgres://localhost:1/none", DATA_DIR: dataDir, PORT: "0" });
    expect(elsewhere.code).toBe(1);
    expect(elsewhere.lines).toHaveLength(1);
    expect(elsewhere.lines[0]).toMatch(/^Cannot reach the database \(DATABASE_URL or DATABASE_DIRECT_URL\): /);
  } finally {
    busy.close();
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a start on a damaged data folder says what to restore and changes nothing", async () => {
  const site = await startSite();
  const secrets = join(site.dataDir, "secrets.json");
  const kept = await readFile(secrets);
  const environment = { DATA_DIR: site.dataDir, PORT: "0" };
  try {
    await site.end();

    for (const damaged of ["", "{}", kept.toString().slice(0, -20)]) {
      await writeFile(secrets, damaged);
      const { code, lines } = await startAndFail(environment);
      expect([code, ...lines]).toEqual([1, expect.stringMatching(/secrets\.json is damaged\. .*restore it from the backup/)]);
      expect(await readFile(secrets, "utf8")).toBe(damaged);
    }

    await rm(secrets);
    const missing = await startAndFail(environment);
    expect([missing.code, ...missing.lines]).toEqual([1, expect.stringMatching(/secrets\.json is missing\. .*restore it/)]);
    await expect(stat(secrets)).rejects.toThrow(/ENOENT/);

    await writeFile(secrets, kept);
    await rename(join(site.dataDir, "objects"), join(site.dataDir, "objects.away"));
    await writeFile(join(site.dataDir, "objects"), "");
    const blocked = await startAndFail(environment);
    expect([blocked.code, ...blocked.lines]).toEqual([1, expect.stringMatching(/objects/)]);
  } finally {
    await site.stop();
  }
});

test("a start with an unusable address or folder names the setting", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "pipwright-start-"));
  await chmod(dataDir, 0o755);
  try {
    const foreign = await startAndFail({ DATA_DIR: dataDir, PORT: "0", HOST: "192.0.2.1" });
    expect([foreign.code, ...foreign.lines]).toEqual([1, "HOST: 192.0.2.1 is not an address of this machine."]);

    const file = join(dataDir, "file");
    await writeFile(file, "");
    const noFolder = await startAndFail({ DATA_DIR: file, PORT: "0" });
    expect([noFolder.code, ...noFolder.lines]).toEqual([1, `DATA_DIR must be a folder, and ${file} is not.`]);

    const below = await startAndFail({ DATA_DIR: join(file, "data"), PORT: "0" });
    expect([below.code, ...below.lines]).toEqual([1, expect.stringMatching(/^Cannot use .*/)]);
  } finally {
    await rm(dataDir, { recursive: true, force: true });
  }
});

test("a second start on one folder ends with one line and spares the first", async () => {
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
