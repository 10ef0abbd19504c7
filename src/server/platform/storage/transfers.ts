import type { IncomingMessage, ServerResponse } from "node:http";
import type { FastifyInstance } from "fastify";
import { hasBody } from "../http/body-time.ts";

/** How long the rest of a refused body is discarded, so that its sender can read the reply (as nginx's lingering_close). */
const lingerMs = 30_000;

/** A body that stops coming for so long is given up; what came of a resumable one is kept. */
const idleMs = 60_000;

interface Transfer {
  raw: IncomingMessage;
  reply: ServerResponse;
}

/**
 * Watches transfers that may take hours. Routes marked `longBody` have no limit on the whole body, so this limits their silence,
 * what is read after a refusal, and how long they delay a shutdown.
 */
export function watchTransfers(app: FastifyInstance): void {
  const running = new Set<Transfer>();
  app.addHook("onRequest", (request, reply, done) => {
    const transfer = { raw: request.raw, reply: reply.raw };
    running.add(transfer);
    reply.raw.once("close", () => running.delete(transfer));
    if (hasBody(request)) limitSilence(transfer, app.server.keepAliveTimeout);
    done();
  });
  // Fastify calls it after that of the drain, which has given them five seconds (RUN-1). Clients resume or repeat what is cut.
  app.addHook("preClose", (done) => {
    for (const { raw } of running) raw.destroy();
    done();
  });
}

/** `keptMs` is how long the connection is kept afterwards, in milliseconds. */
function limitSilence({ raw, reply }: Transfer, keptMs: number): void {
  raw.setTimeout(idleMs, () => raw.destroy());
  // What is done with a whole body may take longer; without any limit the connection would be kept for good.
  raw.once("end", () => raw.setTimeout(reply.writableFinished ? keptMs : 0));
  reply.once("finish", () => {
    if (raw.destroyed) return;
    if (raw.complete) {
      raw.setTimeout(keptMs);
      return;
    }
    const linger = setTimeout(() => raw.destroy(), lingerMs).unref();
    raw.once("close", () => clearTimeout(linger));
    raw.resume();
  });
}
