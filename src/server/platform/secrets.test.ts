import { mkdtemp, rm, stat } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, expect, it, vi } from "vitest";
import { loadSecrets, replaceSecrets } from "./secrets.ts";

/** What was done to files, in order. */
const done = vi.hoisted<string[]>(() => []);
vi.mock("node:fs/promises", async (load) => {
  const fs = await load<typeof import("node:fs/promises")>();
  const noted =
    <Args extends unknown[], Result>(name: string, call: (...args: Args) => Promise<Result>) =>
    async (...args: Args): Promise<Result> => {
      done.push(name);
      return call(...args);
    };
  return {
    ...fs,
    link: noted("link", fs.link),
    rename: noted("rename", fs.rename),
    async open(path: string, flags: string, mode?: number) {
      const handle = await fs.open(path, flags, mode);
      const sync = handle.sync.bind(handle);
      handle.sync = noted(flags === "r" ? "sync folder" : "sync file", sync);
      return handle;
    },
  };
});

let dataDir: string;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-secrets-"));
});
afterAll(() => rm(dataDir, { recursive: true, force: true }));
beforeEach(() => {
  done.length = 0;
});

// RUN-7.
it("makes the name of new secrets survive a power loss", async () => {
  await loadSecrets(dataDir, () => Promise.resolve(false));
  expect(done).toEqual(["sync file", "link", "sync folder"]);
});

it("makes the name of replaced secrets survive a power loss", async () => {
  await replaceSecrets(dataDir);
  expect(done).toEqual(["sync file", "rename", "sync folder"]);
});

it("writes secrets.json for its owner alone, with a different key for each purpose", async () => {
  const { codePepper, linkKey, mailKey, factorKey, unsubscribeKey, calendarKey } = await loadSecrets(dataDir, () =>
    Promise.resolve(true),
  );
  expect((await stat(join(dataDir, "secrets.json"))).mode & 0o777).toBe(0o600);
  const keys = [codePepper, linkKey, mailKey, factorKey, unsubscribeKey, calendarKey];
  expect(new Set(keys.map((key) => key.toString("hex"))).size).toBe(keys.length);
  for (const key of keys) expect(key).toHaveLength(32);
});
