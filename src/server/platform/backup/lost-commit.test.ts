import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Server } from "node:net";
import { Readable } from "node:stream";
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from "vitest";
import type { TestApp } from "../../../../tests/support/app.ts";
import { backupOf, emptyPlace, filesOf, startBackupShop, type Place } from "../../../../tests/support/database/backups.ts";
import { restoreBackup } from "./restore.ts";

let app: TestApp;
let backup: Buffer;

beforeAll(async () => {
  const shop = await startBackupShop();
  app = shop.app;
  backup = await backupOf(shop.source);
});
afterAll(() => app?.close());

/** When the connection is lost: before the commit arrives, or after it was done; or for good. */
type Loss = "before" | "after" | "after, for good";

/** A place whose connection is lost in the commit of the restored rows. */
async function losing(place: Place, loss: Loss): Promise<Place & { backWithinMs: number }> {
  let isArmed = false;
  const server: Server = createServer((client) => {
    const upstream = connect({ path: `${place.connection.host}/.s.PGSQL.${place.connection.port}` });
    for (const socket of [client, upstream]) socket.on("error", () => {});
    client.on("close", () => upstream.destroy());
    upstream.on("close", () => client.destroy());
    client.on("data", (data) => {
      if (!isArmed || !data.includes("commit\0")) return upstream.write(data);
      isArmed = false;
      if (loss === "before") return client.destroy();
      if (loss === "after, for good") server.close();
      upstream.removeAllListeners("data").once("data", () => client.destroy());
      return upstream.write(data);
    });
    upstream.on("data", (data) => client.write(data));
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  onTestFinished(() => void server.close());
  const { port } = server.address() as AddressInfo;
  return {
    ...place,
    connection: { ...place.connection, host: "127.0.0.1", port },
    // The last step before the commit.
    async storeSecrets(text) {
      await place.storeSecrets(text);
      isArmed = true;
    },
    backWithinMs: 3000,
  };
}

const accountsIn = async ({ client }: Place): Promise<number> => (await client.query("select 1 from accounts")).rowCount ?? 0;

// BACKUP-2
describe("a restoration whose connection is lost in the commit", () => {
  it("goes on when the rows count", async () => {
    const place = await emptyPlace();
    await restoreBackup(await losing(place, "after"), Readable.from([backup]));
    expect(await accountsIn(place)).toBeGreaterThan(0);
    expect(await filesOf(place.dataDir)).toEqual(await filesOf(app.deps.config.files.dataDir));
  });

  it("leaves nothing when they do not", async () => {
    const place = await emptyPlace();
    await expect(restoreBackup(await losing(place, "before"), Readable.from([backup]))).rejects.toThrow(/terminated/);
    expect(await accountsIn(place)).toBe(0);
    expect(await filesOf(place.dataDir)).toEqual({});
  });

  it("keeps the files when the database cannot be asked", async () => {
    const place = await emptyPlace();
    const restoration = restoreBackup(await losing(place, "after, for good"), Readable.from([backup]));
    await expect(restoration).rejects.toThrow("If the database has accounts, all is restored");
    expect(await accountsIn(place)).toBeGreaterThan(0);
    expect(await filesOf(place.dataDir)).toEqual(await filesOf(app.deps.config.files.dataDir));
  });
});
