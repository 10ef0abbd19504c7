import { once } from "node:events";
import { createServer, type AddressInfo } from "node:net";
import { constants } from "node:os";
import { sql } from "drizzle-orm";
import pg from "pg";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { startTcpProxy } from "../../../../tests/support/network/tcp-proxy.ts";
import { productError } from "../http/errors.ts";
import { openDatabase } from "./database.ts";

let scratch: ScratchDatabase;
beforeAll(async () => {
  scratch = await scratchDatabase("migrated");
});
afterAll(() => scratch.drop());

const withCode = (code: string, fields: object = {}): Error =>
  new Error("wrapped", { cause: Object.assign(new Error("inner"), { code, ...fields }) });

function expectUnavailable(error: unknown): void {
  const { status, code, retryAfter } = productError(error);
  expect([status, code, retryAfter], String(error)).toEqual([503, "unavailable", expect.any(Number)]);
}

async function thrownBy(action: () => Promise<unknown>): Promise<Error> {
  try {
    await action();
  } catch (error) {
    return error as Error;
  }
  return expect.unreachable("nothing was thrown");
}

describe("an error of the database becomes a 503", () => {
  it.each(
    "08000 08006 08P01 25006 25P03 26000 28000 28P01 3D000 40001 40P01 42P05 53100 53200 53300 55P03 57014 57P01 57P02 57P03 58030 ECONNREFUSED ECONNRESET ETIMEDOUT EPIPE EHOSTUNREACH ENOTFOUND EAI_AGAIN EPROTO DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_GET_ISSUER_CERT_LOCALLY CERT_HAS_EXPIRED UNABLE_TO_VERIFY_LEAF_SIGNATURE HOSTNAME_MISMATCH ERR_TLS_CERT_ALTNAME_INVALID ERR_SSL_TLSV1_ALERT_PROTOCOL_VERSION".split(
      " ",
    ),
  )("for code %s", (code) => expectUnavailable(withCode(code)));

  it.each(["ENOENT", "EACCES"])("for a socket's file (%s), but not for any other file", (code) => {
    expectUnavailable(withCode(code, { syscall: "connect" }));
    expect(productError(withCode(code, { syscall: "open" })).status).toBe(500);
  });

  it("for a prepared statement with other columns, not for a missing feature", () => {
    expectUnavailable(withCode("0A000", { routine: "RevalidateCachedQuery" }));
    expect(productError(withCode("0A000")).status).toBe(500);
  });

  it.each(["23505", "42P01", "42501", "22P02", "XX000"])("not for code %s", (code) =>
    expect(productError(withCode(code)).status).toBe(500),
  );
});

// RUN-3
describe("an error of a disk of the network becomes a 503", () => {
  const path = "/data/objects/film";

  it.each(["ENOTCONN", "ENXIO", "ENODEV", "EREMOTEIO", "EHOSTDOWN", "ETIMEDOUT"])("for code %s", (code) =>
    expectUnavailable(withCode(code, { syscall: "open", path })),
  );

  it("for a stale file, whose code Node.js does not name", () => {
    const stale = { errno: -constants.errno.ESTALE, syscall: "open", path };
    expectUnavailable(withCode(`Unknown system error ${stale.errno}`, stale));
    expect(productError(withCode("Unknown system error -9999", { ...stale, errno: -9999 })).status).toBe(500);
  });

  it("not for a socket that is not connected", () => {
    expect(productError(withCode("ENOTCONN", { syscall: "shutdown" })).status).toBe(500);
  });
});

// What node-postgres throws without a code is known by its text: an update that changes one fails here.
describe("an error of node-postgres without a code becomes a 503", () => {
  it("when a connection attempt hears nothing", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((listening) => silent.once("listening", listening));
    const { port } = silent.address() as AddressInfo;
    const connection = { host: "127.0.0.1", port, user: "nobody", password: "x", database: "none" };
    const db = openDatabase({ ...connection, connectionTimeoutMillis: 50 }, () => {});
    const client = new pg.Client({ ...connection, connectionTimeoutMillis: 50 });
    try {
      expectUnavailable(await thrownBy(() => db.execute(sql`select 1`)));
      expectUnavailable(await thrownBy(() => client.connect()));
    } finally {
      silent.close();
      await db.$client.end();
    }
  });

  it.each(["N", "E"])("when the server replies %s to the wish for TLS", async (reply) => {
    const server = createServer((socket) => socket.once("data", () => socket.end(reply))).listen(0, "127.0.0.1");
    await once(server, "listening");
    const { port } = server.address() as AddressInfo;
    const client = new pg.Client({ host: "127.0.0.1", port, ssl: true });
    expectUnavailable(await thrownBy(() => client.connect()));
    server.close();
  });

  it("when no connection becomes free", async () => {
    const db = openDatabase({ ...scratch.connection, max: 1, connectionTimeoutMillis: 2000 }, () => {});
    const busy = await db.$client.connect();
    expectUnavailable(await thrownBy(() => db.execute(sql`select 1`)));
    busy.release();
    await db.$client.end();
    expectUnavailable(await thrownBy(() => db.execute(sql`select 1`)));
  });

  it("when a statement gets no reply, and its place in the pool becomes free", async () => {
    const proxy = await startTcpProxy(scratch.connection as { host: string; port: number });
    const { host, port } = proxy;
    const db = openDatabase({ ...scratch.connection, host, port, max: 1, query_timeout: 4000 }, () => {});
    try {
      await db.execute(sql`select 1`);
      proxy.goDark();
      expectUnavailable(await thrownBy(() => db.execute(sql`select 1`)));
      await proxy.restore();
      await db.execute(sql`select 1`);
    } finally {
      await db.$client.end();
      await proxy.close();
    }
  });

  it("when the pool drops its connections, and the next statement works", async () => {
    const proxy = await startTcpProxy(scratch.connection as { host: string; port: number });
    const { host, port } = proxy;
    const db = openDatabase({ ...scratch.connection, host, port, max: 3 }, () => {});
    try {
      await Promise.all([db.execute(sql`select 1`), db.execute(sql`select 2`)]);
      proxy.goDark();
      const inUse = thrownBy(() => db.execute(sql`select 1`));
      db.$client.dropAll();
      expectUnavailable(await inUse);
      // Until the pool has noticed, it would hand out the idle connection that was dropped.
      await vi.waitUntil(() => db.$client.totalCount === 0, { timeout: 90_000 });

      const opening = thrownBy(() => db.execute(sql`select 1`));
      const before = proxy.accepted();
      await vi.waitUntil(() => proxy.accepted() > before, { timeout: 90_000 });
      await proxy.restore("stay dark");
      db.$client.dropUnanswered();
      expectUnavailable(await opening);
      await db.execute(sql`select 1`);
    } finally {
      await db.$client.end();
      await proxy.close();
    }
  });

  it("when the connection ends under a statement, before it, and by our own hand", async () => {
    const proxy = await startTcpProxy(scratch.connection as { host: string; port: number });
    const client = new pg.Client({ ...scratch.connection, host: proxy.host, port: proxy.port });
    client.on("error", () => {});
    await client.connect();
    const cut = thrownBy(() => client.query("select pg_sleep(60)"));
    await proxy.refuse();
    expectUnavailable(await cut);
    expectUnavailable(await thrownBy(() => client.query("select 1")));
    const closed = new pg.Client(scratch.connection);
    await closed.connect();
    const ended = closed.end();
    expectUnavailable(await thrownBy(() => closed.query("select 1")));
    await ended;
  });
});

describe("a connection of the pool", () => {
  it("has limits for statements, locks and idle transactions", async () => {
    const db = openDatabase(scratch.connection, () => {});
    const { rows } = await db.execute(
      sql`select name, setting::int > 0 as is_set from pg_settings
          where name in ('statement_timeout', 'lock_timeout', 'idle_in_transaction_session_timeout')`,
    );
    expect(rows).toHaveLength(3);
    expect(rows.every((row) => row["is_set"])).toBe(true);
    await db.$client.end();
  });

  it("frees the locks of a transaction whose client fell silent before others give up", async () => {
    const db = openDatabase(scratch.connection, () => {});
    const silent = await db.$client.connect();
    await silent.query("begin; select pg_advisory_xact_lock(1)");
    // Waits for the lock no longer than lock_timeout, and fails then.
    await db.execute(sql`select pg_advisory_xact_lock(1)`);
    silent.release(true);
    await db.$client.end();
  });

  it("sends no limits among the startup parameters, which poolers refuse", async () => {
    let startup = "";
    const pooler = createServer((socket) =>
      socket.once("data", (data) => {
        startup = data.toString();
        socket.destroy();
      }),
    ).listen(0);
    await new Promise((listening) => pooler.once("listening", listening));
    const { port } = pooler.address() as AddressInfo;
    const db = openDatabase({ host: "127.0.0.1", port, user: "course", database: "course", ssl: false }, () => {});
    await thrownBy(() => db.execute(sql`select 1`));
    expect(startup).toContain("user\0course");
    expect(startup).not.toMatch(/timeout|options/);
    await db.$client.end();
    pooler.close();
  });
});
