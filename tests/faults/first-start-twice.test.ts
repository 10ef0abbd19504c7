import { copyFile, mkdtemp } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { prepareSite, type Site } from "../support/sites/site-process.ts";
import { caller } from "../support/sites/members.ts";
import { isSoon } from "./client.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";

let postgres: OwnPostgres;
const sites: Site[] = [];
beforeAll(async () => {
  postgres = await startOwnPostgres();
});
afterAll(async () => {
  await Promise.all(sites.map((site) => site.stop()));
  await postgres?.remove();
});

async function databaseUrl(name: string): Promise<string> {
  const url = new URL(postgres.url);
  await postgres.sql(`create database ${name} owner ${url.username}`);
  url.pathname = `/${name}`;
  return url.href;
}

const prepare = async (environment: Record<string, string>): Promise<Site> => {
  const site = await prepareSite({ ADMIN_PASSWORD: "", ...environment });
  sites.push(site);
  return site;
};
const passwords = (lines: string[]): string[] => lines.flatMap((line) => / password: (\S+)/.exec(line)?.[1] ?? []);
const isReady = async ({ url }: Site): Promise<boolean> => (await fetch(`${url}/readyz`).catch(() => undefined))?.ok === true;

// RUN-14
it("two processes that start at once on one database and folder make one site", async () => {
  const DATABASE_URL = await databaseUrl("one_folder");
  const DATA_DIR = await mkdtemp(join(tmpdir(), "pipwright-two-"));
  const both = [await prepare({ DATABASE_URL, DATA_DIR }), await prepare({ DATABASE_URL, DATA_DIR })];
  await Promise.all(both.map((site) => site.start()));
  expect(passwords(both.flatMap(({ lines }) => lines))).toHaveLength(1);
});

// RUN-7, RUN-14
it("a machine with other secrets is refused until it has those of the first", async () => {
  const DATABASE_URL = await databaseUrl("two_machines");
  const both = [await prepare({ DATABASE_URL }), await prepare({ DATABASE_URL })];
  for (const site of both) site.launch();
  expect(await isSoon(() => both.some((site) => site.ending() !== undefined), 60_000)).toBe(true);
  const [refused, serving] = both[0]!.ending() ? [both[0]!, both[1]!] : [both[1]!, both[0]!];
  expect(await isSoon(() => isReady(serving), 60_000)).toBe(true);
  // Missing, where the first one already had an account when the second one looked.
  expect(refused.lines).toEqual([
    expect.stringMatching(/secrets\.json is (not the one that the database is used with|missing)/),
  ]);
  expect(refused.ending()).toEqual({ code: 1, signal: null });

  await copyFile(join(serving.dataDir, "secrets.json"), join(refused.dataDir, "secrets.json"));
  await refused.start();
  const [password] = passwords(serving.lines);
  const session = await caller(serving)("POST", "/auth/v1/token?grant_type=password", { email: "owner@example.com", password });
  await expect(caller(refused, session.access_token)("GET", "/api/payment-requests")).resolves.toBeDefined();
});
