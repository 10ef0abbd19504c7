import { once } from "node:events";
import { connect, type Socket } from "node:net";
import { afterEach, beforeEach, describe, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";

let app: TestApp;
const sockets: Socket[] = [];
beforeEach(async () => {
  app = await startApp();
});
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
  await app.close();
});

/** A connection to the app, and all that was read from it. */
async function openConnection(): Promise<{ socket: Socket; read: () => string }> {
  const { port, hostname } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  sockets.push(socket);
  let text = "";
  socket.on("data", (data: Buffer) => (text += data.toString()));
  socket.on("error", () => {});
  await once(socket, "connect");
  return { socket, read: () => text };
}

/** A request whose body is still to come; "100 Continue" is the sign that it is under way. */
const signupHead = (bodyBytes: number): string =>
  `POST /auth/v1/signup HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nExpect: 100-continue\r\nContent-Length: ${bodyBytes}\r\n\r\n`;

describe("a server that stops", () => {
  it("closes a connection that never sent a request", async () => {
    const { socket } = await openConnection();
    const closed = once(socket, "close");

    await app.server.close();

    await closed;
  });

  it("closes a connection whose request does not end", async () => {
    const { socket, read } = await openConnection();
    socket.write(signupHead(100));
    await expect.poll(read).toContain("100 Continue");
    const closed = once(socket, "close");

    await app.server.close();

    await closed;
  });

  it("serves requests while they come, and what is under way once its port closed", async () => {
    const slow = await openConnection();
    slow.socket.write(signupHead(2));
    await expect.poll(slow.read).toContain("100 Continue");
    const stream = await openConnection();
    const statuses = new Set<string>();
    const ask = async (path: string): Promise<Response | undefined> => fetch(app.url + path).catch(() => undefined);
    const keepAsking = async (): Promise<void> => {
      for (let reply = await ask("/auth/v1/.well-known/jwks.json"); reply; reply = await ask("/auth/v1/.well-known/jwks.json"))
        statuses.add(`${reply.status} ${reply.headers.get("connection")}`);
    };
    const asking = Promise.all([keepAsking(), keepAsking()]);
    await expect.poll(() => statuses.size).toBe(1);
    const stopped = app.server.close();
    stream.socket.write("GET /api/events HTTP/1.1\r\nHost: x\r\n\r\n");
    // At once: the port closes two seconds after the stop began.
    const [readiness, health] = await Promise.all([ask("/readyz"), ask("/healthz")]);
    expect(await readiness?.json()).toEqual({
      status: "not_ready",
      failing: [{ part: "process", reason: "stopping" }],
    });
    expect(health?.status).toBe(503);
    await expect.poll(stream.read).toContain("503 Service Unavailable");
    await asking;
    expect(statuses).toEqual(new Set(["200 keep-alive", "200 null", "200 close"]));

    slow.socket.write("{}");
    await stopped;
    await expect.poll(slow.read).toContain("400 Bad Request");
  });
});
