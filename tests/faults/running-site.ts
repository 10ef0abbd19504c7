import { readdir } from "node:fs/promises";
import { join } from "node:path";
import { afterAll, beforeAll, expect } from "vitest";
import { prepareSite, type Site } from "../support/sites/site-process.ts";
import { complaints, putOn, type Fault } from "./fault.ts";
import { signalPostgres } from "./postgres.ts";
import { startTraffic, type Traffic, type TrafficOptions } from "./traffic.ts";

export interface RunningSite {
  readonly site: Site;
  readonly traffic: Traffic;
  /** Puts a fault on the site; fails with what did not hold. A site that an earlier fault broke is started anew first. */
  survives(fault: Fault): Promise<void>;
}

interface Parts {
  environment?: () => Promise<Record<string, string>> | Record<string, string>;
  traffic?: TrafficOptions;
}

/** A site under traffic for all tests of a file. */
export function siteUnderTraffic({ environment = () => ({}), traffic: options }: Parts = {}): RunningSite {
  let site: Site | undefined;
  let traffic: Traffic | undefined;
  let isBroken = false;
  beforeAll(async () => {
    site = await prepareSite(await environment());
    await site.start();
    traffic = await startTraffic(site, options);
  });
  afterAll(async () => {
    await traffic?.stop();
    if (site?.ending()) await endOrphans(site.dataDir);
    await site?.stop();
  });
  const running: RunningSite = {
    get site() {
      if (!site) throw new Error("The site was not started.");
      return site;
    },
    get traffic() {
      if (!traffic) throw new Error("The site has no traffic.");
      return traffic;
    },
    async survives(fault) {
      if (isBroken) {
        await running.site.kill();
        await running.site.start();
      }
      isBroken = true;
      const outcome = await putOn(running.site, running.traffic, fault);
      isBroken = !outcome.hasRecovered;
      expect(complaints(outcome)).toEqual([]);
    },
  };
  return running;
}

/** Where the embedded cluster of a data folder is. */
export async function clusterBelow(dataDir: string): Promise<string> {
  const files = await readdir(dataDir, { recursive: true });
  const file = files.find((name) => name.endsWith("/postmaster.pid"));
  if (file === undefined) throw new Error(`No PostgreSQL runs below ${dataDir}.`);
  return join(dataDir, file, "..");
}

async function endOrphans(dataDir: string): Promise<void> {
  const clusterDir = await clusterBelow(dataDir).catch(() => undefined);
  if (clusterDir !== undefined) await signalPostgres(clusterDir, "SIGKILL");
}
