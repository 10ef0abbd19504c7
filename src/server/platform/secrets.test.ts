import { mkdtemp, readdir, rm, stat, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, beforeEach, describe, expect, it, onTestFinished, vi } from "vitest";
import { loadSecrets, replaceSecrets } from "./secrets.ts";

/** What was done to files, in order. */
const done = vi.hoisted<string[]>(() => []);
/** What comes before a call; throws in its place where the file system fails. */
const before = vi.hoisted<{ link?: () => void; rename?: () => Promise<void>; readEmpty?: () => void }>(() => ({}));
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
    link: noted("link", async (...args: Parameters<typeof fs.link>) => {
      before.link?.();
      await fs.link(...args);
    }),
    rename: noted("rename", async (...args: Parameters<typeof fs.rename>) => {
      await before.rename?.();
      await fs.rename(...args);
    }),
    async readFile(path: string, encoding: "utf8") {
      const text = await fs.readFile(path, encoding);
      if (text === "") before.readEmpty?.();
      return text;
    },
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
  Object.assign(before, { link: undefined, rename: undefined, readEmpty: undefined });
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

// RUN-7
describe("first secrets", () => {
  const fail = (code: string) => (): never => {
    throw Object.assign(new Error(code), { code });
  };
  const load = (folder: string) => loadSecrets(folder, () => Promise.resolve(false));
  async function emptyFolder(): Promise<string> {
    const folder = await mkdtemp(join(tmpdir(), "pipwright-secrets-"));
    onTestFinished(() => rm(folder, { recursive: true }));
    return folder;
  }

  it.each(["EPERM", "ENOTSUP", "ENOSYS"])("are made where a file system has no links (%s)", async (code) => {
    const folder = await emptyFolder();
    before.link = fail(code);
    const { fingerprint } = await load(folder);
    expect(done).toEqual(["sync file", "link", "rename", "sync folder"]);
    expect([await readdir(folder), (await stat(join(folder, "secrets.json"))).mode & 0o777]).toEqual([["secrets.json"], 0o600]);
    expect((await load(folder)).fingerprint).toEqual(fingerprint);
  });

  it("are the same for a start that finds the file empty, without links", async () => {
    const folder = await emptyFolder();
    before.link = fail("ENOTSUP");
    let second: ReturnType<typeof load> | undefined;
    before.rename = async () => {
      const isFoundEmpty = new Promise<void>((resolve) => (before.readEmpty = resolve));
      second = load(folder);
      await Promise.race([isFoundEmpty, second]);
    };
    const { fingerprint } = await load(folder);
    expect((await second)?.fingerprint).toEqual(fingerprint);
    expect(await readdir(folder)).toEqual(["secrets.json"]);
  });

  it.each([undefined, "ENOTSUP"])("are the same for two starts at once (link: %s)", async (code) => {
    const folder = await emptyFolder();
    if (code !== undefined) before.link = fail(code);
    const [one, other] = await Promise.all([load(folder), load(folder)]);
    expect(one.fingerprint).toEqual(other.fingerprint);
    expect(await readdir(folder)).toEqual(["secrets.json"]);
  });

  it("leave nothing behind where they get no name", async () => {
    const folder = await emptyFolder();
    before.link = fail("EIO");
    await expect(load(folder)).rejects.toThrow("EIO");
    expect(await readdir(folder)).toEqual([]);
    before.link = fail("ENOTSUP");
    before.rename = async () => fail("EIO")();
    await expect(load(folder)).rejects.toThrow("EIO");
    expect(await readdir(folder)).toEqual([]);
  });

  it("are damaged where the file stays empty", async () => {
    const folder = await emptyFolder();
    await writeFile(join(folder, "secrets.json"), "");
    await expect(load(folder)).rejects.toThrow("secrets.json is damaged");
    expect(await readdir(folder)).toEqual(["secrets.json"]);
  });
});
