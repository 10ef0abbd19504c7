import { once } from "node:events";
import { connect, type Socket } from "node:net";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it } from "vitest";
import { startApp } from "../../../../tests/support/app.ts";
import { admin } from "../../../../tests/support/people.ts";
import { maxWaiting, servePipelinedInTurn } from "./pipelining.ts";

let app: { close(): Promise<void> };
afterEach(() => app.close());

/** Starts a server whose replies end when a test ends them. `begun` has the paths of the requests it has begun to serve. */
async function startSlow(): Promise<{ url: string; server: FastifyInstance; begun: string[]; end: (() => void)[] }> {
  const begun: string[] = [];
  const end: (() => void)[] = [];
  const server = fastify({ forceCloseConnections: true });
  app = server;
  servePipelinedInTurn(server);
  server.get("/*", ({ url }) => {
    begun.push(url);
    return new Promise((resolve) => end.push(() => resolve(`reply to ${url}`)));
  });
  return { url: await server.listen({ host: "127.0.0.1", port: 0 }), server, begun, end };
}

/** Sends requests at once over one connection, without an end. */
function pipeline(url: string, requests: string[]): Socket {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname).on("error", () => {});
  socket.write(requests.map((request) => `GET ${request} HTTP/1.1\r\nHost: site\r\n\r\n`).join(""));
  return socket;
}

it("begins to serve a pipelined request when the reply before it has ended", async () => {
  const { url, begun, end } = await startSlow();
  let text = "";
  pipeline(url, ["/0", "/1", "/2"]).on("data", (piece: Buffer) => (text += piece.toString()));
  for (const path of ["/0", "/1", "/2"]) {
    await expect.poll(() => begun.at(-1)).toBe(path);
    end.at(-1)!();
    await expect.poll(() => text).toContain(`reply to ${path}`);
  }
  expect(begun).toEqual(["/0", "/1", "/2"]);
});

it("never serves pipelined requests whose client has left", async () => {
  const { url, server, begun, end } = await startSlow();
  const connected = once(server.server, "connection") as Promise<[Socket]>;
  const client = pipeline(url, ["/0", "/1", "/2"]);
  const [connection] = await connected;
  await expect.poll(() => begun).toEqual(["/0"]);
  client.destroy();
  await once(connection, "close");
  end[0]!();
  pipeline(url, ["/3"]);
  await expect.poll(() => begun).toEqual(["/0", "/3"]);
});

it("cuts off a connection on which too many requests wait", async () => {
  const { url, begun } = await startSlow();
  const paths = Array.from({ length: maxWaiting + 2 }, (_, number) => `/${number}`);
  await once(pipeline(url, paths), "close");
  expect(begun).toEqual(["/0"]);
});

// LIVE-2
it("counts no stream of events that waits for another one of its connection", async () => {
  const site = await startApp({ environment: { MAX_STREAMS: "2" } });
  app = site;
  const authorization = `Bearer ${(await admin(site)).accessToken}`;
  const stream = `/api/events HTTP/1.1\r\nAuthorization: ${authorization}\r\nX-Rest:`;
  const socket = pipeline(site.url, [stream, stream, stream]);
  await once(socket, "data");
  expect((await fetch(`${site.url}/api/events`, { method: "HEAD", headers: { authorization } })).status).toBe(200);
  socket.destroy();
});
