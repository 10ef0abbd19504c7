import fastify, { type FastifyInstance } from "fastify";
import { once } from "node:events";
import { request, type IncomingMessage } from "node:http";
import { setTimeout as wait } from "node:timers/promises";
import { afterAll, beforeAll, describe, expect, it, vi } from "vitest";
import { sendUnfinished } from "../../../../tests/support/attacks/socket.ts";
import type { Principal } from "../http/access.ts";
import { limitBodyTime } from "../http/body-time.ts";
import { replyToMalformedRequest } from "../http/client-errors.ts";
import { registerForms } from "../http/form-bodies.ts";
import { watchTransfers } from "./transfers.ts";

let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  app = fastify({ requestTimeout: 0 });
  limitBodyTime(app, 0.4);
  app.post("/short", async () => "read");
  app.get("/unread", async () => "a reply that needs no body");
  const form = { method: "PUT", url: "/form", maxBytes: 100, check: () => {} } as const;
  registerForms(
    app,
    async () => ({}) as Principal,
    [form],
    async ({ body }, reply) => reply.send(body),
  );
  await app.register(async (scope) => {
    watchTransfers(scope);
    scope.addContentTypeParser("application/octet-stream", (_request, _body, done) => done(null));
    scope.post("/long", { config: { longBody: true } }, async ({ raw }) => {
      for await (const _piece of raw) await wait(0);
      return "read";
    });
    scope.post("/refused", { config: { longBody: true } }, async (_request, reply) => reply.code(415).send("no"));
  });
  url = await app.listen({ port: 0, host: "127.0.0.1" });
});
afterAll(() => app?.close());

/** Sends a body in pieces, 0.2 s for each; returns the status, or 0 when the connection was cut. */
function sendSlowly(
  path: string,
  contentType: string,
  { method = "POST", pieces = ["{}", "  ", "  ", "  "] } = {},
): Promise<number> {
  return new Promise((resolve) => {
    const headers = { "content-type": contentType, "content-length": pieces.join("").length };
    const sending = request(url + path, { method, headers });
    sending.on("response", (reply) => resolve(reply.statusCode ?? 0));
    sending.on("error", () => resolve(0));
    void (async () => {
      for (const piece of pieces) {
        if (sending.destroyed) return;
        sending.write(piece);
        await wait(200);
      }
      sending.end();
    })();
  });
}

describe("a body that comes slowly", () => {
  it("cuts off a slow body where a short one is expected", async () => {
    const pieces = ["{}", ...Array<string>(300).fill("  ")];
    expect([0, 408]).toContain(await sendSlowly("/short", "application/json", { pieces }));
  });

  it("waits for a slow body where a long one may come", async () => {
    expect(await sendSlowly("/long", "application/octet-stream")).toBe(200);
  });

  it("waits for a form with a file, such as a picture of 10 MB", async () => {
    const file = '--b\r\nContent-Disposition: form-data; name="file"; filename="poster.png"\r\n\r\n';
    const sent = { method: "PUT", pieces: [file, "poster", "\r\n", "--b--\r\n"] };
    expect(await sendSlowly("/form", "multipart/form-data; boundary=b", sent)).toBe(200);
  });

  it("cuts off a slow body whose reply was sent before it was complete", async () => {
    const { statusCode } = await sendUnfinished(url, "GET /unread HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n{");
    expect(statusCode).toBe(200);
  });
});

// TEXT-2
describe("a request that never becomes whole", () => {
  it.each([
    ["headers", "X-Odd: a"],
    ["a body", "Content-Type: application/json\r\nContent-Length: 9\r\n\r\n{"],
  ])("refuses a request as request_timed_out when %s stop arriving", async (_what, bytes) => {
    const http = { headersTimeout: 400, connectionsCheckingInterval: 50 };
    const impatient = fastify({ requestTimeout: 0, clientErrorHandler: replyToMalformedRequest, http });
    limitBodyTime(impatient, 0.4);
    impatient.post("/", async () => "read");
    const address = await impatient.listen({ port: 0, host: "127.0.0.1" });
    const { statusCode, headers, body } = await sendUnfinished(address, `POST / HTTP/1.1\r\nHost: localhost\r\n${bytes}`);
    await impatient.close();
    expect([statusCode, headers["connection"]]).toEqual([408, "close"]);
    expect(JSON.parse(body)).toEqual({ code: "request_timed_out", error: expect.stringContaining("too long to arrive") });
  });
});

describe("a body that is refused before it was read", () => {
  it("discards the rest of a refused body, so that its sender can read the reply", async () => {
    const reply = await fetch(`${url}/refused`, {
      method: "POST",
      headers: { "content-type": "application/octet-stream" },
      body: new Uint8Array(20_000_000),
    });
    expect(reply.status).toBe(415);
  });
});

// RUN-1
it("cuts transfers at a stop without a wait beside that of the drain", async ({ onTestFinished }) => {
  const stopping = fastify();
  await stopping.register(async (scope) => {
    watchTransfers(scope);
    scope.get("/endless", async (_request, reply) => {
      reply.hijack();
      reply.raw.write("a piece");
    });
  });
  const address = await stopping.listen({ port: 0, host: "127.0.0.1" });
  const [reply] = (await once(request(`${address}/endless`).end(), "response")) as [IncomingMessage];
  const cut = once(reply, "error");
  // A wait would not end.
  vi.useFakeTimers({ toFake: ["setTimeout"] });
  onTestFinished(() => void vi.useRealTimers());
  await stopping.close();
  expect(await cut).toMatchObject([{ code: "ECONNRESET" }]);
});
