import { createServer, type Server, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { afterAll, expect, it } from "vitest";
import { pause } from "./client.ts";
import { heldBy } from "./processes.ts";
import { report } from "./report.ts";
import { siteUnderTraffic } from "./running-site.ts";

let respond = (reply: ServerResponse): void => void reply.end('{"bitcoin":{"usd":64250.5}}');
/** How much of an endless reply was taken, in megabytes. */
let sentMb = 0;
let service: Server;
afterAll(() => {
  service?.closeAllConnections();
  service?.close();
});
const running = siteUnderTraffic({
  async environment() {
    service = createServer((_request, reply) => respond(reply)).listen(0, "127.0.0.1");
    await once(service, "listening");
    return { PRICE_API_URL: `http://127.0.0.1:${(service.address() as AddressInfo).port}/` };
  },
  traffic: { students: 1 },
});

/** Sends until the reader has enough. */
async function flood(reply: ServerResponse): Promise<void> {
  const piece = Buffer.alloc(1 << 20, " ");
  for (sentMb = 0; sentMb < 256 && !reply.destroyed; sentMb++) {
    if (!reply.write(piece)) await Promise.race([once(reply, "drain"), once(reply, "close"), pause(10_000)]);
  }
  reply.end();
}

const replies: [string, (reply: ServerResponse) => void][] = [
  ["never ends", () => {}],
  ["is endless", (reply) => void flood(reply)],
  ["is no JSON", (reply) => void reply.end("<html>")],
  ["has no price", (reply) => void reply.end('{"bitcoin":{}}')],
  ["has a price of 0", (reply) => void reply.end('{"bitcoin":{"usd":0}}')],
  ["has a price of 1e30", (reply) => void reply.end('{"bitcoin":{"usd":1e30}}')],
  ["is 500", (reply) => void reply.writeHead(500).end()],
];

it.each(replies)("refuses a price when the service's reply %s", async (name, how) => {
  respond = how;
  const { site, traffic } = running;
  const before = await heldBy(site.pid());
  const ask = () => traffic.ask("GET", "/api/crypto-price/bitcoin", undefined, { token: traffic.adminToken() });
  const asked = [await ask(), await ask()];
  const after = await heldBy(site.pid());
  const note = `${asked[0]?.status} after ${Math.round(asked[0]?.ms ?? 0)} ms; ${before.pssMb} MB before, ${after.pssMb} MB after`;
  const isRefused = asked.every(({ status }) => status === 503);
  report({ fault: `price service: ${name}`, complaints: isRefused ? [] : [note], note });
  expect(asked.map(({ status }) => status)).toEqual([503, 503]);
  expect(sentMb).toBeLessThan(64);
  expect(site.ending()).toBeUndefined();
});
