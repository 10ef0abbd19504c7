import { Agent, get, type IncomingMessage } from "node:http";
import { connect, type AddressInfo } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import fastify, { type FastifyInstance } from "fastify";
import { afterEach, expect, it } from "vitest";
import { monotonicMs } from "../clock.ts";
import { Drain } from "./drain.ts";

let app: FastifyInstance;
afterEach(() => app.close());

// RUN-1
it("refuses later requests on two ports, which cannot be closed one by one", async (context) => {
  app = fastify({ forceCloseConnections: true, return503OnClosing: false });
  const end: (() => void)[] = [];
  app.get("/slow", () => new Promise((resolve) => end.push(() => resolve("done"))));
  app.get("/quick", () => "quick");
  new Drain().register(app);
  const url = await app.listen({ host: "localhost", port: 0 });
  // Without IPv6 there is one.
  if (app.addresses().length < 2) context.skip();
  const slow = fetch(`${url}/slow`);
  await expect.poll(() => end).toHaveLength(1);
  const stopped = app.close();
  await expect.poll(async () => (await fetch(`${url}/quick`)).status).toBe(503);
  end[0]!();
  expect(await (await slow).text()).toBe("done");
  await stopped;
});

const isPortClosed = (port: number): Promise<boolean> =>
  new Promise((tell) => {
    const socket = connect(port, "127.0.0.1", () => {
      socket.destroy();
      tell(false);
    }).on("error", () => tell(true));
  });

// RUN-1
it("closes the port of a process that is never idle", async () => {
  app = fastify({ forceCloseConnections: true, return503OnClosing: false });
  new Drain().register(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  let turns = 0;
  let isBusy = true;
  const work = (): void => {
    turns += 1;
    const end = monotonicMs() + 1;
    while (monotonicMs() < end);
    if (isBusy) setImmediate(work);
  };
  work();
  await app.close();
  isBusy = false;
  // Each takes a millisecond, and an idle one is waited for up to 300.
  expect(turns).toBeLessThan(700);
});

// RUN-14
it("serves the last request of a connection that a proxy has kept for a while", async () => {
  app = fastify({ forceCloseConnections: true, return503OnClosing: false });
  app.get("/quick", () => "quick");
  new Drain(5000).register(app);
  await app.listen({ host: "127.0.0.1", port: 0 });
  const { port } = app.server.address() as AddressInfo;
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const ask = (): Promise<IncomingMessage> =>
    new Promise((done, fail) =>
      get({ host: "127.0.0.1", port, path: "/quick", agent }, (reply) => done(reply.resume())).on("error", fail),
    );
  expect((await ask()).headers.connection).toBe("keep-alive");
  const stopped = app.close();
  await expect.poll(() => isPortClosed(port), { interval: 5 }).toBe(true);
  await pause(200);
  const last = await ask();
  expect([last.statusCode, last.headers.connection]).toEqual([200, "close"]);
  await stopped;
});
