import type { Socket } from "node:net";
import type { FastifyInstance } from "fastify";

/** Requests of one connection that may wait at once; no browser and no proxy sends a second one before the reply to the first. */
export const maxWaiting = 100;

/**
 * Serves the requests of a connection one after the other. To be called before every other hook is added: Node.js never closes a reply that still waits
 * behind another when the client leaves, so whatever was begun for it would be kept for good.
 */
export function servePipelinedInTurn(app: FastifyInstance): void {
  const waiting = new WeakMap<Socket, number>();
  app.addHook("onRequest", ({ raw: { socket } }, { raw: reply }, done) => {
    if (reply.socket !== null) {
      done();
      return;
    }
    const before = waiting.get(socket) ?? 0;
    if (before === maxWaiting) {
      socket.destroy();
      return;
    }
    waiting.set(socket, before + 1);
    reply.once("socket", () => {
      waiting.set(socket, waiting.get(socket)! - 1);
      done();
    });
  });
}
