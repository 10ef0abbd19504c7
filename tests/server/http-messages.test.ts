import { once } from "node:events";
import { request } from "node:http";
import { connect, type Socket } from "node:net";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";
import { student } from "../support/people.ts";

let app: TestApp;
beforeAll(async () => {
  app = await startApp();
});
afterAll(() => app?.close());

/** Sends bytes as they are and returns all that comes back until the server closes the connection. */
function replyTo(message: string): Promise<string> {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname, () => socket.write(message));
  return text(socket);
}

it.each([
  ["both Content-Length and Transfer-Encoding", "Content-Length: 6\r\nTransfer-Encoding: chunked"],
  ["two different Content-Lengths", "Content-Length: 6\r\nContent-Length: 5"],
  ["a Transfer-Encoding that does not end in chunked", "Transfer-Encoding: chunked, identity"],
  ["a folded header", "Transfer-Encoding:\r\n chunked"],
])("refuses a message with %s and reads no second one out of it", async (_what, headers) => {
  const hidden = "GET /healthz HTTP/1.1\r\nHost: a\r\n\r\n";
  const reply = await replyTo(`POST /auth/v1/token HTTP/1.1\r\nHost: a\r\n${headers}\r\n\r\n0\r\n\r\n${hidden}`);
  expect(reply.match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 400"]);
});

it.each([
  ["a reader that takes nothing", ""],
  [
    "one whose upload was refused first",
    "PATCH /storage/v1/upload/resumable/a HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\n1",
  ],
])("cuts off %s", async (_who, first) => {
  const { hostname, port } = new URL(app.url);
  const reader = connect(Number(port), hostname).pause();
  const [connection] = (await once(app.server.server, "connection")) as [Socket];
  // A hundred times sooner.
  const { setTimeout: setLimit } = connection;
  connection.setTimeout = (ms, done) => setLimit.call(connection, ms / 100, done);
  connection.setTimeout(connection.timeout!);
  // More than the buffers of both sides hold.
  reader.write(first + "GET /api/openapi.json HTTP/1.1\r\nHost: a\r\n\r\n".repeat(100));
  await once(connection, "close");
  expect(connection.bytesWritten).toBeGreaterThan(1_000_000);
  reader.destroy();
});

it("keeps an idle connection longer than Caddy does", async () => {
  const { headers } = await fetch(`${app.url}/healthz`);
  expect(Number(/^timeout=(\d+)$/.exec(headers.get("keep-alive")!)?.[1])).toBeGreaterThan(120);
});

it("writes no error into a reply that is being sent", async () => {
  const { hostname, port } = new URL(app.url);
  const socket = connect(Number(port), hostname);
  const { accessToken } = await student(app);
  socket.write(`GET /api/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${accessToken}\r\n\r\n`);
  socket.once("data", () => socket.write("no request\r\n\r\n"));
  expect((await text(socket)).match(/HTTP\/1\.1 \d+/g)).toEqual(["HTTP/1.1 200"]);
});

it.each([
  ["POST", "/api/quotes"],
  ["POST", "/functions/v1/verify-email"],
  ["POST", "/auth/v1/signup"],
  ["PUT", "/auth/v1/user"],
] as const)("replies 415 to a body that is no JSON: %s %s", async (method, url) => {
  for (const type of ["text/plain", "application/xml", "application/x-www-form-urlencoded"]) {
    const reply = await app.server.inject({ method, url, headers: { "content-type": type }, payload: "a=b" });
    expect([reply.statusCode, reply.json().code], type).toEqual([415, "body_type_invalid"]);
  }
});

it("does not support TRACE, which would return what was sent", async () => {
  for (const path of ["/", "/api/me", "/auth/v1/token", "/storage/v1/upload/resumable"]) {
    const body = await new Promise<{ status: number; text: string }>((resolve, reject) => {
      const call = request(app.url + path, { method: "TRACE", headers: { "x-secret": "returned" } }, (reply) => {
        void text(reply).then((all) => resolve({ status: reply.statusCode ?? 0, text: all }), reject);
      });
      call.on("error", reject).end();
    });
    expect([404, 405]).toContain(body.status);
    expect(body.text).not.toContain("returned");
  }
});

it("allows no page of another origin to read a reply or pass a preflight", async () => {
  const paths = [
    "/",
    "/api/me",
    "/auth/v1/token",
    "/auth/v1/.well-known/jwks.json",
    "/storage/v1/upload/resumable",
    "/nowhere",
  ];
  for (const path of paths) {
    for (const method of ["GET", "POST", "OPTIONS"]) {
      const headers = { origin: "https://evil.example", "access-control-request-method": "POST" };
      const reply = await fetch(app.url + path, { method, headers });
      const allowed = [...reply.headers.keys()].filter((name) => name.startsWith("access-control-"));
      expect(allowed, `${method} ${path}`).toEqual([]);
    }
  }
});

it("replies to a path with encoded letters as to the same path without", async () => {
  for (const path of ["/auth/v1/user", "/auth/v1/nowhere", "/api/me", "/api/nowhere?a=50%off", "/functions/v1/admin-users"]) {
    const [reply, same] = await Promise.all([path, path.replace("a", "%61")].map((one) => fetch(app.url + one)));
    expect(reply!.headers.get("cache-control"), path).toBe("no-store");
    expect([same!.status, same!.headers.get("cache-control")], path).toEqual([reply!.status, "no-store"]);
    expect(await same!.json(), path).toEqual(await reply!.json());
  }
});

it("names the type of every body, and the encoding of every text", async () => {
  const paths = ["/", "/nowhere", "/mailbox", "/mailbox.css", "/metrics", "/api/openapi.json", "/api/me", "/auth/v1/user"];
  for (const path of paths) {
    const reply = await fetch(app.url + path, { headers: { accept: "text/html,*/*" } });
    const type = reply.headers.get("content-type") ?? "none";
    expect(type, path).toMatch(/^(application\/json\b|text\/\w+;.*\bcharset=utf-8$)/);
    const body = await reply.text();
    if (type.startsWith("application/json")) expect(() => JSON.parse(body), path).not.toThrow();
  }
});
