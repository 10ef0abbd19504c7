import { afterAll, it } from "vitest";
import { byForm } from "./form.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";
import { siteUnderTraffic } from "./running-site.ts";

let postgres: OwnPostgres;
// Registered first, so that it runs after the site has ended.
afterAll(() => postgres?.remove());
const { survives } = siteUnderTraffic({
  async environment() {
    postgres = await startOwnPostgres();
    return { DATABASE_URL: postgres.url };
  },
});

it("survives connections that PostgreSQL ends every half second", () =>
  survives({
    name: "pg_terminate_backend every half second",
    lastsMs: byForm(3000, 20_000),
    async begin() {
      const others = `select pg_terminate_backend(pid) from pg_stat_activity
        where pid <> pg_backend_pid() and client_addr is null and application_name not like '%owner%'`;
      let ending: Promise<unknown> = Promise.resolve();
      const timer = setInterval(() => void (ending = postgres.sql(others).catch(() => {})), 500);
      return async () => {
        clearInterval(timer);
        await ending;
      };
    },
  }));

it("survives a PostgreSQL that is stopped and started again", () =>
  survives({
    name: "PostgreSQL stopped and started again",
    lastsMs: byForm(4000, 10_000),
    unready: /"part":"database"/,
    async begin() {
      await postgres.stop();
      return () => postgres.start();
    },
  }));

it("survives a PostgreSQL that refuses connections", () =>
  survives({
    name: "connections refused",
    lastsMs: byForm(4000, 10_000),
    unready: /"part":"database"/,
    async begin() {
      await postgres.proxy.refuse();
      return () => postgres.proxy.restore();
    },
  }));

it("survives a PostgreSQL that is read-only", () =>
  survives({
    name: "read-only PostgreSQL",
    lastsMs: byForm(4000, 10_000),
    unready: /"part":"database"/,
    async begin() {
      await setReadOnly("on");
      return () => setReadOnly("off");
    },
  }));

async function setReadOnly(value: "on" | "off"): Promise<void> {
  await postgres.sql(`alter system set default_transaction_read_only = ${value}`);
  await postgres.sql("select pg_reload_conf()");
}
