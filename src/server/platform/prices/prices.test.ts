import { createServer, type RequestListener, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { Readable } from "node:stream";
import { afterEach, expect, it } from "vitest";
import { httpPriceSource } from "./prices.ts";

const running: Server[] = [];
afterEach(() => {
  for (const server of running.splice(0)) {
    server.closeAllConnections();
    server.close();
  }
});

/** A price service on loopback; returns its address. */
async function serve(listener: RequestListener): Promise<string> {
  const server = createServer(listener);
  running.push(server);
  await new Promise<void>((resolve) => void server.listen(0, "127.0.0.1", resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/simple/price`;
}

const priceFrom = async (listener: RequestListener, timeoutMs = 5000): Promise<string> =>
  httpPriceSource(await serve(listener), timeoutMs).usdPrice("bitcoin");

const stating =
  (json: string, contentType = "application/json"): RequestListener =>
  (_request, reply) =>
    reply.writeHead(200, { "content-type": contentType }).end(json);

it("returns the stated price, whatever the content type", async () => {
  expect(await priceFrom(stating('{"bitcoin":{"usd":64250.5}}'))).toBe("64250.5");
  expect(await priceFrom(stating('{"bitcoin":{"usd":64250.567}}', "text/html"))).toBe("64250.57");
});

it("asks for the coin in USD and follows a redirect", async () => {
  const asked: (string | undefined)[] = [];
  const price = await priceFrom((request, reply) => {
    asked.push(request.url);
    if (request.url?.startsWith("/moved")) reply.end('{"bitcoin":{"usd":1}}');
    else reply.writeHead(302, { location: "/moved" }).end();
  });
  expect(price).toBe("1");
  expect(asked).toEqual(["/simple/price?ids=bitcoin&vs_currencies=usd", "/moved"]);
});

it.each(["0", "-5", "1e30", "100000000.01", "0.001", "null", '"64250"', "NaN", "1e400"])(
  "refuses an impossible price: %s",
  async (usd) => {
    await expect(priceFrom(stating(`{"bitcoin":{"usd":${usd}}}`))).rejects.toThrow(/impossible price|Invalid input|JSON/);
  },
);

it.each([
  ["an error status", ((_request, reply) => reply.writeHead(500).end('{"bitcoin":{"usd":1}}')) satisfies RequestListener],
  ["another coin's price", stating('{"ethereum":{"usd":1}}')],
  ["HTML", stating("<html>Please wait</html>")],
  ["an endless redirect", ((_request, reply) => reply.writeHead(302, { location: "/" }).end()) satisfies RequestListener],
])("refuses %s", async (_what, listener) => {
  await expect(priceFrom(listener)).rejects.toThrow(/status 500|no price|JSON|redirects more than 3/);
});

it("stops reading an endless price reply", async () => {
  let sent = 0;
  let isClosed = false;
  function* pieces(): Generator<Buffer> {
    for (;;) {
      sent += 64 * 1024;
      yield Buffer.alloc(64 * 1024, " ");
    }
  }
  const endless: RequestListener = (_request, reply) => {
    const endlessly = Readable.from(pieces());
    endlessly.pipe(reply).on("close", () => {
      isClosed = true;
      endlessly.destroy();
    });
  };
  await expect(priceFrom(endless, 60_000)).rejects.toThrow("more than 65536 bytes");
  await expect.poll(() => isClosed).toBe(true);
  // What fits into the buffers of the sockets is under way before the reader says no.
  expect(sent).toBeLessThan(64 * 1024 ** 2);
});

it("fails when a price reply is still arriving at the timeout", async () => {
  const trickle: RequestListener = (_request, reply) => {
    const timer = setInterval(() => reply.write(" "), 5);
    reply.on("close", () => clearInterval(timer));
  };
  await expect(priceFrom(trickle, 100)).rejects.toThrow("aborted due to timeout");
});
