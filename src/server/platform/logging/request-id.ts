import { AsyncLocalStorage } from "node:async_hooks";
import type { FastifyInstance } from "fastify";

const requests = new AsyncLocalStorage<string>();

/** Has everything that a request does, until its last promise, find the request's id by `currentRequestId`. */
export function carryRequestIds(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => requests.run(request.id, done));
}

/** Returns the id (`reqId` in the log) of the request that is being served, as a UUID; undefined in a job. */
export const currentRequestId = (): string | undefined => requests.getStore();
