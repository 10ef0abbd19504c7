import type { ServerResponse } from "node:http";
import { setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { monotonicMs } from "../clock.ts";
import type { ReadinessCheck } from "./readiness.ts";

const graceMs = 5000;
const stepMs = 20;

/**
 * Stops the HTTP server. Requests that began before `app.close()` have five seconds to finish; later ones are refused with
 * `unavailable`. The port stays open meanwhile, so that load balancers can read from `/readyz` that the process is stopping.
 * Needs `forceCloseConnections`, which then closes every connection, also one that never sent a request.
 */
export class Drain {
  #isStopping = false;
  #openReplies = new Set<ServerResponse>();

  /** Part `process` of `/readyz`. */
  readonly check: ReadinessCheck = {
    name: "process",
    check: () => Promise.resolve(this.#isStopping ? "stopping" : undefined),
  };

  /** Adds the hooks. Called last, since it waits for requests that other `preClose` hooks end, such as event streams. */
  register(app: FastifyInstance): void {
    app.addHook("onRequest", (request, reply, done) => {
      if (this.#isStopping && request.routeOptions.url !== "/readyz") {
        done(new ProductError("unavailable", { retryAfter: graceMs / 1000 }));
        return;
      }
      this.#openReplies.add(reply.raw);
      reply.raw.once("close", () => this.#openReplies.delete(reply.raw));
      done();
    });
    app.addHook("preClose", async () => {
      this.#isStopping = true;
      const end = monotonicMs() + graceMs;
      while (this.#openReplies.size > 0 && monotonicMs() < end) await pause(stepMs);
    });
  }
}
