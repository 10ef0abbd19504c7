import { once } from "node:events";
import { createServer, type IncomingMessage, type ServerResponse } from "node:http";
import { connect, type AddressInfo } from "node:net";
import type { FastifyReply, FastifyRequest } from "fastify";
import { expect, it } from "vitest";
import { sendPieces } from "./send-pieces.ts";

// FILE-8
it("cuts off a reader that takes nothing, and lets go of the file", async () => {
  let isClosed = false;
  async function* endless(): AsyncGenerator<Buffer, void> {
    try {
      for (;;) yield Buffer.alloc(512 * 1024);
    } finally {
      isClosed = true;
    }
  }
  const answer = (_request: IncomingMessage, raw: ServerResponse): void => {
    const reply = { statusCode: 200, getHeaders: () => ({}), hijack: () => ({ raw }) } as unknown as FastifyReply;
    void sendPieces({} as FastifyRequest, reply, { done: false, value: Buffer.alloc(1) }, endless(), 50);
  };
  const server = createServer(answer);
  await once(server.listen(0, "127.0.0.1"), "listening");
  const reader = connect((server.address() as AddressInfo).port, "127.0.0.1").pause();
  reader.on("error", () => {}).write("GET / HTTP/1.1\r\nHost: site\r\n\r\n");
  await expect.poll(() => isClosed).toBe(true);
  reader.destroy();
  server.close();
});
