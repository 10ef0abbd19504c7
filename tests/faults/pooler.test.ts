import pg from "pg";
import { afterAll, describe, expect, it } from "vitest";
import { joinSite } from "../support/sites/members.ts";
import { hasPgBouncer, startPgBouncer, type Pooler } from "../support/network/pgbouncer.ts";
import { prepareSite } from "../support/sites/site-process.ts";
import { metadata } from "../support/uploads.ts";
import { isSoon } from "./client.ts";
import { startOwnPostgres, type OwnPostgres } from "./postgres.ts";
import { siteUnderTraffic } from "./running-site.ts";

if (!hasPgBouncer) console.log("No PgBouncer here (Debian: apt-get install pgbouncer): a site behind a pooler is not tested.");

/** Fewer than the site's own pool. */
const poolSize = 4;

describe.runIf(hasPgBouncer)("a site behind a pooler that shares connections between transactions", () => {
  let postgres: OwnPostgres;
  let pooler: Pooler;
  afterAll(async () => {
    await pooler?.close();
    await postgres?.remove();
  });
  const running = siteUnderTraffic({
    async environment() {
      postgres = await startOwnPostgres();
      pooler = await startPgBouncer(postgres.url, poolSize);
      return { DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: postgres.url };
    },
  });

  // RUN-13
  it("sells, takes uploads and hears of changes, leaving sessions as they were", async () => {
    const { site, traffic } = running;
    const [lives, events] = [traffic.lives(), traffic.stream.events()];
    expect(await isSoon(() => traffic.lives() > lives + 3 && traffic.stream.events() > events, 60_000)).toBe(true);
    await uploadByTus(site.url, await joinSite(site, "Slow Uploader", true));
    const { mishaps, wrongs } = traffic.journal;
    expect({ mishaps, wrongs, lost: await traffic.missing() }).toEqual({ mishaps: [], wrongs: [], lost: [] });
    expect(await sessionsOf(pooler.url)).toEqual(Array.from({ length: poolSize }, () => untouched));
  });

  // RUN-4, RUN-13
  it("does not start without the address of the database itself", async () => {
    const missing = /^DATABASE_URL leads through a pooler .* Set DATABASE_DIRECT_URL/;
    const wrong = /^DATABASE_DIRECT_URL must lead to the same database as DATABASE_URL, and not through a pooler/;
    const other = new URL(postgres.url);
    other.pathname = "/other";
    await postgres.sql("create database other");
    await Promise.all([
      expectRefusal({ DATABASE_URL: pooler.url }, missing),
      expectRefusal({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: pooler.url }, wrong),
      expectRefusal({ DATABASE_URL: pooler.url, DATABASE_DIRECT_URL: other.href }, wrong),
    ]);
  });
});

const tus = { "tus-resumable": "1.0.0" };

/** Uploads in two requests, for each of which the site takes the lock of the upload. */
async function uploadByTus(url: string, member: Awaited<ReturnType<typeof joinSite>>): Promise<void> {
  const authorization = `Bearer ${member.session.access_token}`;
  const pairs = metadata({ bucketName: "payment-screenshots", filename: "paid.png", filetype: "image/png" });
  const headers = { ...tus, authorization, "upload-length": "2000", "upload-metadata": pairs };
  const begun = await fetch(`${url}/storage/v1/upload/resumable`, { method: "POST", headers });
  const path = new URL(begun.headers.get("location") ?? "", url).pathname;
  for (const offset of [0, 700]) {
    const sent = await fetch(url + path, {
      method: "PATCH",
      headers: {
        ...tus,
        authorization,
        "content-type": "application/offset+octet-stream",
        "upload-offset": String(offset),
      },
      body: new Uint8Array(700),
    });
    expect(sent.status).toBe(204);
  }
}

const untouched = { statement_timeout: "0", lock_timeout: "0", keep_alive: "default", channels: 0, statements: 0, locks: 0 };

/** What is set, listened for, prepared and locked in each of the pooler's connections. */
async function sessionsOf(url: string): Promise<unknown[]> {
  const clients = Array.from({ length: poolSize }, () => new pg.Client({ connectionString: url }));
  await Promise.all(clients.map((client) => client.connect()));
  const sessions = clients.map(async (client) => {
    // Keeps the connection until all are looked at.
    await client.query("begin");
    const { rows } = await client.query(`select current_setting('statement_timeout') as statement_timeout,
      current_setting('lock_timeout') as lock_timeout,
      (select source from pg_settings where name = 'tcp_keepalives_idle') as keep_alive,
      (select count(*)::int from pg_listening_channels()) as channels,
      (select count(*)::int from pg_prepared_statements) as statements,
      (select count(*)::int from pg_locks where pid = pg_backend_pid() and locktype = 'advisory') as locks`);
    return rows[0] as unknown;
  });
  const seen = await Promise.all(sessions);
  await Promise.all(clients.map((client) => client.end()));
  return seen;
}

async function expectRefusal(environment: Record<string, string>, line: RegExp): Promise<void> {
  const site = await prepareSite(environment);
  try {
    site.launch();
    expect(await isSoon(() => site.ending() !== undefined, 60_000)).toBe(true);
    expect(site.lines).toEqual([expect.stringMatching(line)]);
    expect(site.ending()).toEqual({ code: 1, signal: null });
  } finally {
    await site.stop();
  }
}
