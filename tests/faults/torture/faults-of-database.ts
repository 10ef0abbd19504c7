import { pause } from "../client.ts";
import { lasting, signal, sudden, type FaultKind } from "./fault-kind.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Process ids of the site's connections to PostgreSQL. */
async function backends({ postgres }: World, condition = "true"): Promise<number[]> {
  const { rows } = await postgres.sql(`select pid from pg_stat_activity
    where backend_type = 'client backend' and pid <> pg_backend_pid() and usename <> current_user and ${condition} order by pid`);
  return rows.map(({ pid }) => Number(pid));
}

async function onBackend(world: World, random: Random, action: (pid: number) => unknown, condition?: string): Promise<boolean> {
  const pid = random.pick(await backends(world, condition));
  if (pid === undefined) return false;
  await action(pid);
  return true;
}

async function setReadOnly({ postgres }: World, value: "on" | "off"): Promise<void> {
  await postgres.sql(`alter system set default_transaction_read_only = ${value}`);
  await postgres.sql("select pg_reload_conf()");
}

/** One at a time. Those that end the whole of PostgreSQL are rarer: each costs it seconds. */
export const faultsOfDatabase: FaultKind[] = [
  sudden("database: connection ended by the server", 44, (world, random) =>
    onBackend(world, random, (pid) => world.postgres.sql(`select pg_terminate_backend(${pid})`)),
  ),
  sudden("database: statement cancelled", 12, (world, random) =>
    onBackend(world, random, (pid) => world.postgres.sql(`select pg_cancel_backend(${pid})`), "state <> 'idle'"),
  ),
  sudden("database: all connections cut", 3, ({ postgres }) => postgres.proxy.cut()),
  lasting("database: connections refused", 1.5, [100, 1000], async ({ postgres }) => {
    await postgres.proxy.refuse();
    return () => postgres.proxy.restore();
  }),
  lasting("database: line silent", 1, [200, 1500], ({ postgres }) => {
    postgres.proxy.goDark();
    return () => postgres.proxy.restore();
  }),
  lasting("database: line slow", 4, [300, 1500], ({ postgres }, random) => {
    postgres.proxy.delay(random.between(20, 200));
    return () => postgres.proxy.delay(0);
  }),
  lasting("database: read-only", 2, [200, 1000], async (world) => {
    await setReadOnly(world, "on");
    return () => setReadOnly(world, "off");
  }),
  lasting("database: held still (SIGSTOP)", 2, [200, 1500], async ({ postgres }) => {
    await postgres.freeze();
    return () => postgres.thaw();
  }),
  sudden("database: backend killed (SIGKILL)", 1.5, async (world, random) => {
    const isPut = await onBackend(world, random, (pid) => signal(pid, "SIGKILL"));
    await world.reviveDatabase();
    return isPut;
  }),
  sudden("database: postmaster killed (SIGKILL)", 1.5, async (world) => {
    signal(await world.postgres.pid(), "SIGKILL");
    await pause(200);
    await world.postgres.stop();
    await world.postgres.start();
  }),
  lasting("database: restarted", 1.5, [0, 500], async ({ postgres }) => {
    await postgres.stop();
    return () => postgres.start();
  }),
  lasting("disk full", 1.5, [500, 1500], async (world) => {
    const free = await world.disk?.fillUpTo(0);
    if (free === undefined) return undefined;
    return async () => {
      await free();
      await world.reviveDatabase();
    };
  }),
];

/** The one long outage of a run. */
export const longOutage: FaultKind = lasting("database: away for 30 s", 1, [30_000, 30_000], async ({ postgres }) => {
  await postgres.stop();
  return () => postgres.start();
});
