// Over 250 lines: one test for each reason that ends a start.
import { randomUUID } from "node:crypto";
import { once } from "node:events";
import { mkdir, mkdtemp, rm, utimes, writeFile } from "node:fs/promises";
import { createServer, type AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { S3ServiceException } from "@aws-sdk/client-s3";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { systemClock } from "#server/platform/clock";
import { openDatabase } from "#server/platform/db/database";
import { lockKeys } from "#server/platform/db/locks";
import { DiskSpace } from "#server/platform/storage/disk/disk-space";
import { openDiskStore } from "#server/platform/storage/disk/disk-store";
import { storeFault } from "#server/platform/storage/s3/s3-client";
import { explainStartFault, listenFault, refuseOtherDatabase } from "#server/start-faults";
import { databaseUrl } from "../support/database/database-url.ts";
import { scratchDatabase, type ScratchDatabase } from "../support/database/scratch-database.ts";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";
import { soon } from "../support/soon.ts";

let commands: Commands;
let dataDir: string;
let database: ScratchDatabase;
beforeAll(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "pipwright-start-"));
  commands = await bundleCommands({ main: "src/server/main.ts" });
});
afterAll(async () => {
  await commands?.remove();
  await rm(dataDir, { recursive: true, force: true });
});

/** Starts the server on a database, which must end with this line. */
async function expectLine(url: string, line: RegExp): Promise<void> {
  const ended = await commands.run("main", [], { DATA_DIR: dataDir, PORT: "0", DATABASE_URL: url });
  expect(ended).toEqual({ code: 1, lines: [expect.stringMatching(line)] });
}

describe("a start ends with one line and exit code 1", () => {
  beforeEach(async () => {
    database = await scratchDatabase("migrated");
  });
  afterEach(() => database.drop());

  it("when the database accepts connections and never replies", async () => {
    const silent = createServer().listen(0, "127.0.0.1");
    await new Promise((listening) => silent.once("listening", listening));
    const { port } = silent.address() as AddressInfo;
    await expectLine(
      `postgres://nobody@127.0.0.1:${port}/none`,
      /^Cannot reach the database \(DATABASE_URL or DATABASE_DIRECT_URL\): timeout expired$/,
    );
    silent.close();
  });

  it("when the password in the address has a % that is not written as %25", () =>
    expectLine("postgres://u:100%ab@127.0.0.1/none", /^DATABASE_URL or DATABASE_DIRECT_URL is no address\. .* % as %25/));

  it("when the database does not exist", () =>
    expectLine(
      databaseUrl({ ...database.connection, database: "missing" }),
      /^DATABASE_URL or DATABASE_DIRECT_URL names a database that does not exist.*"missing" does not exist \(3D000\)$/,
    ));

  it("when the socket of the database is not there", () =>
    expectLine(
      "postgres://nobody@/none?host=/nowhere",
      /^Cannot reach the database \(DATABASE_URL or DATABASE_DIRECT_URL\): connect ENOENT \/nowhere\/\.s\.PGSQL\.5432 \(ENOENT\)$/,
    ));

  it("when no schema of the search path exists", async () => {
    await database.client.query(`alter database "${database.connection.database}" set search_path = nowhere`);
    await expectLine(
      database.url,
      /^The search path of the user of DATABASE_URL or DATABASE_DIRECT_URL names no schema that exists.*\(3F000\)$/,
    );
  });

  it("when PGSSLNEGOTIATION does not fit the address", async () => {
    const environment = { DATA_DIR: dataDir, PORT: "0", DATABASE_URL: database.url, PGSSLNEGOTIATION: "direct" };
    const line = /^PGSSLNEGOTIATION, or sslnegotiation in DATABASE_URL or DATABASE_DIRECT_URL, is not right: /;
    expect(await commands.run("main", [], environment)).toEqual({ code: 1, lines: [expect.stringMatching(line)] });
  });

  it("when the server does not know the user", () =>
    expectLine(
      databaseUrl({ ...database.connection, user: "stranger" }),
      /^The database refuses the user or the password of DATABASE_URL or DATABASE_DIRECT_URL: .*\(28000\)$/,
    ));

  it("when the database is read-only", async () => {
    await database.client.query(`alter database "${database.connection.database}" set default_transaction_read_only = on`);
    await expectLine(
      database.url,
      /^The database is read-only\. Set DATABASE_URL, and DATABASE_DIRECT_URL if it is set, to the primary.*\(25006\)$/,
    );
  });

  it("when a restoration or a renewal of the secrets holds the database", async () => {
    await database.client.query(`select pg_advisory_lock(${lockKeys.runningSite})`);
    await expectLine(
      database.url,
      /^The database is being restored, or its secrets renewed\. Start the site once that has ended\.$/,
    );
  });

  it("when an applied migration has been edited", async () => {
    await database.client.query("update schema_migrations set sha256 = 'other' where name like '0002%'");
    await expectLine(database.url, /^Migration 0002-audit-and-mail\.sql has changed since it was applied/);
  });

  it("when a migration fails", async () => {
    await database.client.query("delete from schema_migrations where name like '0002%'");
    await expectLine(database.url, /^Migration 0002-audit-and-mail\.sql failed: .* already exists \(42P07\)$/);
  });

  it("when a newer program has migrated the database", async () => {
    await database.client.query("insert into schema_migrations (name, sha256) values ('9999-later.sql', '')");
    await expectLine(database.url, /^The database is newer than this program.*9999-later\.sql/);
  });

  // RUN-7
  it("when the stored files are older than a database without accounts", async () => {
    const film = join(dataDir, "objects", randomUUID());
    await mkdir(dirname(film), { recursive: true });
    await writeFile(film, "");
    onTestFinished(() => rm(film));
    await utimes(film, new Date(0), new Date(0));
    await expectLine(
      database.url,
      /^There are stored files that are older than the database, which has no accounts\. Set DATABASE_URL/,
    );
    // It may become the database of another site yet.
    expect((await database.client.query("select 1 from secrets_fingerprint")).rows).toEqual([]);
  });
});

// RUN-7
it("newer files, accounts, or a store that is away refuse no start", async () => {
  database = await scratchDatabase("migrated");
  const db = openDatabase(database.connection, () => {});
  const folder = await mkdtemp(join(tmpdir(), "pipwright-start-"));
  onTestFinished(async () => {
    await db.$client.end();
    await database.drop();
    await rm(folder, { recursive: true });
  });
  const objects = await openDiskStore(folder, systemClock);
  await refuseOtherDatabase(db, objects);
  const id = randomUUID();
  await objects.put(id, Buffer.from("seeded"));
  await refuseOtherDatabase(db, objects);
  for (let more = 0; more < 5; more += 1) await objects.put(randomUUID(), Buffer.from("seeded"));
  await utimes(join(folder, "objects", id), new Date(0), new Date(0));
  await expect(refuseOtherDatabase(db, objects)).rejects.toThrow("older than the database");
  const away = { ...objects, readiness: [{ name: "storage", check: () => Promise.resolve("unreachable") }] };
  await refuseOtherDatabase(db, Object.setPrototypeOf(away, objects));
  await database.client.query(
    `insert into accounts (id, email, password_hash, role, created_at) values ($1, 'admin@example.com', '', 'admin', now())`,
    [randomUUID()],
  );
  await refuseOtherDatabase(db, objects);
});

describe("an error at start is explained in one line", () => {
  it.each([
    ["28P01", "The database refuses the user or the password of DATABASE_URL or DATABASE_DIRECT_URL: inner (28P01)"],
    [
      "42501",
      "The user of DATABASE_URL or DATABASE_DIRECT_URL lacks rights in the database. Make it the owner, or grant it CREATE on the schema: inner (42501)",
    ],
    ["57P03", "Cannot reach the database (DATABASE_URL or DATABASE_DIRECT_URL): inner (57P03)"],
    ["ECONNREFUSED", "Cannot reach the database (DATABASE_URL or DATABASE_DIRECT_URL): inner (ECONNREFUSED)"],
    [
      "SELF_SIGNED_CERT_IN_CHAIN",
      "Cannot reach the database (DATABASE_URL or DATABASE_DIRECT_URL): inner (SELF_SIGNED_CERT_IN_CHAIN)",
    ],
  ])("for code %s", (code, line) => {
    expect(explainStartFault(Object.assign(new Error("inner"), { code }))).toEqual([line]);
  });

  it.each(["EACCES", "EPERM"])("when the account may not open the socket of the database (%s)", (code) => {
    const error = Object.assign(new Error("inner"), { code, syscall: "connect" });
    const line = `Cannot reach the database (DATABASE_URL or DATABASE_DIRECT_URL): inner (${code})`;
    expect(explainStartFault(error)).toEqual([line]);
  });

  it("when the address of the database is none", () => {
    const error = Object.assign(new TypeError("Invalid URL"), { code: "ERR_INVALID_URL" });
    const line =
      "DATABASE_URL or DATABASE_DIRECT_URL is no address. Of a password in it, write % as %25, / as %2F, ? as %3F, # as %23 and @ as %40.";
    expect(explainStartFault(error)).toEqual([line]);
  });

  it("when the bucket of the files cannot be reached", () => {
    const error = storeFault(Object.assign(new Error("inner"), { code: "ECONNREFUSED" }));
    const line = "Cannot reach the store of the files (S3_ENDPOINT): inner (ECONNREFUSED)";
    expect(explainStartFault(error)).toEqual([line]);
  });

  it("when a file has no room beside the reserve of the disk", async () => {
    const space = new DiskSpace("/", systemClock, () => Promise.resolve({ free: 0, total: 1e9 }));
    const error: unknown = await space.claim(1).catch((thrown: unknown) => thrown);
    expect(explainStartFault(error)).toEqual(["No room left for the files on the disk of DATA_DIR beside its reserve"]);
  });

  it("when the store of the bucket is full", () => {
    const full = { name: "Full", message: "inner", $fault: "server", $metadata: { httpStatusCode: 507 } } as const;
    const line = "No room left in the store of the files (S3_ENDPOINT): inner";
    expect(explainStartFault(storeFault(new S3ServiceException(full)))).toEqual([line]);
  });

  it.each([
    ["EACCES", "This account may not listen on port 80. Set a PORT from 1024 on, such as 3000"],
    ["EADDRINUSE", "Port 80 is in use. Stop the other program, or set another PORT, such as 3001"],
    ["EADDRNOTAVAIL", "HOST: site.example is not an address of this machine."],
    ["EAFNOSUPPORT", "HOST: site.example is not an address of this machine."],
    [
      "EINVAL",
      "HOST: site.example is no address to listen on. One that begins with fe80: needs its interface, as in fe80::1%eth0",
    ],
    ["ENOTFOUND", "HOST: site.example has no address."],
  ])("when the port cannot be opened because of %s", (code, line) => {
    const error = Object.assign(new Error(`listen ${code}`), { code, syscall: "listen" });
    expect(explainStartFault(listenFault(error, { port: 80, host: "site.example" }))).toEqual([line]);
  });
});

// ACCESS-2
it("prints the admin's password also when it is stopped while it stores it", async () => {
  database = await scratchDatabase("migrated");
  onTestFinished(() => database.drop());
  const query = (text: string) => database.client.query(text);
  await query(`select pg_advisory_lock(${lockKeys.adminRole})`);
  const environment = { DATA_DIR: dataDir, PORT: "0", DATABASE_URL: database.url, ADMIN_EMAIL: "owner@example.com" };
  const site = commands.start("main", [], { ...environment, ADMIN_PASSWORD: "" });
  onTestFinished(() => void site.kill("SIGKILL"));
  let output = "";
  site.stdout!.on("data", (data: string) => (output += data));
  const waiting = "select 1 from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'";
  await soon(async () => expect((await query(waiting)).rows).toHaveLength(1));

  const ended = once(site, "close");
  site.kill("SIGTERM");
  await soon(() => expect(output).toContain("Stopping…"));
  await query(`select pg_advisory_unlock(${lockKeys.adminRole})`);

  expect(await ended).toEqual([0, null]);
  expect((await query("select email from accounts")).rows).toEqual([{ email: "owner@example.com" }]);
  expect(output).toMatch(/^Admin: owner@example\.com {2}password: \S+ {2}\(shown only this once\)$/m);
});
