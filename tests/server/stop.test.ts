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

  it("finishes a request under way and refuses later ones with a known error", async () => {
    const slow = await openConnection();
    slow.socket.write(signupHead(2));
    await expect.poll(slow.read).toContain("100 Continue");
    const kept = await openConnection();
    kept.socket.write("GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(kept.read).toContain('{"status":"ok"}');

    const stopped = app.server.close();
    const readiness = async (): Promise<unknown> => (await fetch(`${app.url}/readyz`)).json();
    await expect.poll(readiness).toEqual({ status: "not_ready", failing: [{ part: "process", reason: "stopping" }] });
    kept.socket.write("GET /api/videos HTTP/1.1\r\nHost: x\r\n\r\n");
    await expect.poll(kept.read).toContain("503 Service Unavailable");
    const refusal = kept.read().slice(kept.read().indexOf("HTTP/1.1 503"));
    expect(refusal).toMatch(/^connection: close\r$/im);
    expect(refusal).toMatch(/^retry-after: 5\r$/im);
    expect(refusal).toContain('"code":"unavailable"');

    slow.socket.write("{}");
    await stopped;
    await expect.poll(slow.read).toContain("400 Bad Request");
  });
});
