import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { startTcpProxy, type TcpProxy } from "../../../../tests/support/network/tcp-proxy.ts";
import { soon } from "../../../../tests/support/soon.ts";
import { listenForChanges, type ChangeFeed, type FeedEvent } from "./changes.ts";

const timing = { heartbeat: 100, timeout: 4000, firstPause: 20, maxPause: 100, steady: 200 };
let scratch: ScratchDatabase;
let proxy: TcpProxy;
let feed: ChangeFeed;
let lines: string[];
let events: FeedEvent[];
beforeAll(async () => {
  scratch = await scratchDatabase("empty");
});
afterAll(() => scratch.drop());
beforeEach(async () => {
  lines = [];
  events = [];
  proxy = await startTcpProxy(scratch.connection as { host: string; port: number });
  const { host, port } = proxy;
  feed = await listenForChanges({ ...scratch.connection, host, port }, (line) => lines.push(line), timing);
  feed.subscribe((event) => events.push(event));
});
afterEach(async () => {
  await feed.close();
  await proxy.close();
});

const gaps = () => events.filter(({ topic }) => topic === "gap").length;

async function openConnections(): Promise<unknown> {
  const { rows } = await scratch.client.query(
    `select count(*)::int as open from pg_stat_activity
     where datname = current_database() and backend_type = 'client backend' and pid <> pg_backend_pid()`,
  );
  return rows[0].open;
}

/** A change made now arrives. */
async function expectChanges(): Promise<void> {
  const id = String(Math.random());
  await scratch.client.query("select pg_notify('changes', $1)", [JSON.stringify({ topic: "videos", id })]);
  await soon(() => expect(events).toContainEqual({ topic: "videos", id }));
}

describe("the change feed", () => {
  it("returns with one gap and two lines after an outage, on one connection", async () => {
    await expectChanges();
    await proxy.refuse();
    await soon(() => expect(feed.isConnected()).toBe(false));
    // Time for many attempts; nothing outside can count those that are refused.
    await scratch.client.query("select pg_sleep(1)");
    await proxy.restore();
    await soon(() => expect(feed.isConnected()).toBe(true));
    await expectChanges();
    await soon(async () => expect(await openConnections()).toBe(1));
    expect(gaps()).toBe(1);
    const twoLines = [expect.stringMatching(/^Change feed: connection lost/), "Change feed: connected again."];
    await soon(() => expect(lines).toEqual(twoLines));
  });

  it("notices a connection over which nothing arrives any more", async () => {
    proxy.goDark();
    await soon(() => expect(feed.isConnected()).toBe(false));
    await soon(() => expect(proxy.accepted()).toBeGreaterThan(2));
    await proxy.restore();
    await soon(() => expect(feed.isConnected()).toBe(true));
    await expectChanges();
    expect(gaps()).toBe(1);
    await soon(() => expect(lines).toHaveLength(2));
  });

  it("reports a silence and its end, but not for a connection that the server ended", async () => {
    const heard: string[] = [];
    await feed.close();
    const options = { ...timing, onSilence: () => heard.push("silence"), onSilenceOver: () => heard.push("over") };
    feed = await listenForChanges({ ...scratch.connection, host: proxy.host, port: proxy.port }, () => {}, options);
    await proxy.refuse();
    await soon(() => expect(feed.isConnected()).toBe(false));
    await proxy.restore();
    await soon(() => expect(feed.isConnected()).toBe(true));
    expect(heard).toEqual([]);

    proxy.goDark();
    await soon(() => expect(heard).toEqual(["silence"]));
    await proxy.restore("stay dark");
    await soon(() => expect(heard).toEqual(["silence", "over"]));
  });

  it("returns with a gap each time the server ends its connection", async () => {
    for (let round = 1; round <= 3; round += 1) {
      await scratch.client.query(
        "select pg_terminate_backend(pid) from pg_stat_activity where datname = current_database() and query = 'listen changes'",
      );
      await soon(() => expect(gaps()).toBe(round));
      await expectChanges();
      await soon(() => expect(lines).toHaveLength(2 * round));
    }
    // The server counts an ended connection for a moment longer.
    await soon(async () => expect(await openConnections()).toBe(1));
  });

  it("writes one line while its connections are ended again and again", async () => {
    await feed.close();
    const options = { ...timing, steady: 60_000 };
    feed = await listenForChanges(
      { ...scratch.connection, host: proxy.host, port: proxy.port },
      (line) => lines.push(line),
      options,
    );
    feed.subscribe((event) => events.push(event));
    for (let round = 1; round <= 3; round += 1) {
      proxy.cut();
      await soon(() => expect(gaps()).toBe(round));
    }
    expect(lines).toEqual([expect.stringMatching(/^Change feed: connection lost/)]);
  });

  it("closes at once while the database is dark, and opens nothing afterwards", async () => {
    proxy.goDark();
    await feed.close();
    expect(feed.isConnected()).toBe(false);
    const accepted = proxy.accepted();
    await proxy.restore();
    await expect(listenForChanges({ ...scratch.connection, port: 1, host: "127.0.0.1" }, () => {})).rejects.toThrow(
      "ECONNREFUSED",
    );
    await scratch.client.query("select pg_sleep(0.3)");
    expect(proxy.accepted()).toBe(accepted);
    expect(lines).toEqual([]);
  });

  it("closes while a connection is being opened anew", async () => {
    await proxy.refuse();
    await soon(() => expect(feed.isConnected()).toBe(false));
    const accepted = proxy.accepted();
    await proxy.restore();
    await soon(() => expect(proxy.accepted()).toBe(accepted + 1));
    await feed.close();
  });
});
