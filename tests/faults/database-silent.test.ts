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

it("survives a connection to PostgreSQL that drops every byte", () =>
  survives({
    name: "dark line",
    lastsMs: byForm(4000, 20_000),
    unready: /"part":"database"/,
    async begin() {
      postgres.proxy.goDark();
      return () => postgres.proxy.restore("stay dark");
    },
  }));

it("survives a suspended PostgreSQL", () =>
  survives({
    name: "PostgreSQL frozen (SIGSTOP)",
    lastsMs: byForm(4000, 20_000),
    unready: /"part":"database"/,
    async begin() {
      await postgres.freeze();
      return () => postgres.thaw();
    },
  }));

it("survives a slow connection to PostgreSQL", () =>
  survives({
    name: "line with 300 ms of delay",
    lastsMs: byForm(3000, 20_000),
    async begin() {
      postgres.proxy.delay(300);
      return () => postgres.proxy.delay(0);
    },
  }));
