import { rename } from "node:fs/promises";
import { join } from "node:path";
import { prepareSite, type Site } from "../support/sites/site-process.ts";
import { isSoon, pause } from "./client.ts";
import { logLines } from "./fault.ts";
import { heldBy, heldByItself } from "./processes.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";
import { look } from "./probe.ts";
import { startTraffic, type Traffic } from "./traffic.ts";

type SoakFault = [name: string, begin: () => Promise<unknown>, end: () => Promise<unknown> | void];

/**
 * Puts one fault a minute on a site under traffic and prints, for each, how long it took to come back, and at the end what the
 * processes hold beside what they held after the first minute. Returns the promises that were lost.
 */
export async function soak(minutes: number, say: (line: string) => void): Promise<string[]> {
  const postgres = await startOwnPostgres();
  const site = await prepareSite({ DATABASE_URL: postgres.url });
  let traffic: Traffic | undefined;
  try {
    await site.start();
    traffic = await startTraffic(site);
    const faults = faultsOf(site, postgres);
    await pause(60_000);
    const first = await figures(site, postgres);
    say(`after the first minute: ${first}`);
    for (let minute = 1; minute < minutes && !site.ending(); minute++) {
      const next = pause(60_000);
      await oneFault(site, faults[(minute - 1) % faults.length] as SoakFault, say);
      await next;
      if (minute % 5 === 0) say(`after minute ${minute + 1}: ${await figures(site, postgres)}`);
    }
    // Mails, sweeps and statements of the last fault end first.
    await pause(5000);
    say(`after the first minute: ${first}`);
    say(`at the end:             ${await figures(site, postgres)}`);
    await traffic.stop();
    const lost = site.ending() ? ["everything: the process ended"] : await traffic.missing();
    const { replies, mishaps } = traffic.journal;
    say(`${replies} replies, of them ${mishaps.length} 503 or none; ${logLines(site.lines).length} log lines`);
    say(`${traffic.promises.count()} acknowledged promises, ${lost.length} lost`);
    return lost;
  } finally {
    await traffic?.stop();
    await postgres.proxy.restore();
    await site.stop();
    await postgres.remove();
  }
}

function faultsOf(site: Site, postgres: OwnPostgres): SoakFault[] {
  const objects = join(site.dataDir, "objects");
  const { proxy } = postgres;
  const setReadOnly = async (value: "on" | "off"): Promise<void> => {
    await postgres.sql(`alter system set default_transaction_read_only = ${value}`);
    await postgres.sql("select pg_reload_conf()");
  };
  const never = async (): Promise<void> => {};
  return [
    ["connections cut", async () => proxy.cut(), never],
    ["PostgreSQL stopped", postgres.stop, postgres.start],
    ["line dark", async () => proxy.goDark(), () => proxy.restore("stay dark")],
    ["read-only", () => setReadOnly("on"), () => setReadOnly("off")],
    ["PostgreSQL frozen", postgres.freeze, postgres.thaw],
    ["connections refused", proxy.refuse, () => proxy.restore()],
    ["objects away", () => rename(objects, `${objects}.away`), () => rename(`${objects}.away`, objects)],
    ["line slow", async () => proxy.delay(200), () => proxy.delay(0)],
  ];
}

async function oneFault(site: Site, [name, begin, end]: SoakFault, say: (line: string) => void): Promise<void> {
  const lines = site.lines.length;
  await begin();
  await pause(10_000);
  await end();
  const ended = Date.now();
  const isBack = await isSoon(async () => (await look(`${site.url}/readyz`)).status === 200, 45_000);
  const seconds = isBack ? `ready after ${((Date.now() - ended) / 1000).toFixed(1)} s` : "not ready after 45 s";
  say(`${name}: ${seconds}, ${logLines(site.lines.slice(lines)).length} log lines`);
}

async function figures(site: Site, postgres: OwnPostgres): Promise<string> {
  const main = await heldByItself(site.pid());
  const node = await heldBy(site.pid());
  const database = await heldBy(await postgres.pid());
  const { rows } = await postgres.sql(
    "select count(*)::int as number from pg_stat_activity where backend_type = 'client backend'",
  );
  const memory = `node ${main.pssMb} MB, with its picture process ${node.pssMb} MB, PostgreSQL ${database.pssMb} MB`;
  return `${memory}, ${node.files} files, ${rows[0].number} connections`;
}
