import type { ServerResponse } from "node:http";
import { Server, type Socket } from "node:net";
import { setImmediate as turn, setTimeout as pause } from "node:timers/promises";
import type { FastifyInstance } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { monotonicMs } from "../clock.ts";
import type { ReadinessCheck } from "./readiness.ts";

/** Milliseconds for which new connections are served after the stop began, while requests keep coming. With `maxIdleWaitMs`, two seconds (RUN-1). */
const noticeMs = 1500;
/** Milliseconds that an idle turn of the event loop is waited for; a busy process may never have one. */
const idleWaitMs = 300;
/** The same while fewer than `minTurns` have passed, as on a busy machine. */
const maxIdleWaitMs = 500;
const minTurns = 50;
/** Milliseconds without a new request after which nobody is thought to ask any more. */
const quietMs = 50;
/** Milliseconds that requests under way have to finish, once the port is closed. */
const graceMs = 5000;
/** Milliseconds of a turn of the event loop in which nothing arrived. */
const idleTurnMs = 0.3;
const stepMs = 10;

/**
 * Stops the HTTP server without a request that fails where another process takes over (RUN-14). At first everything is served as before, while
 * `/healthz` and `/readyz` say that the process stops. Then the port closes, so that a proxy asks another process; on connections that are open, requests
 * are still served, the last one of each, and what is under way has five seconds. Needs `forceCloseConnections`, which then closes every connection, also
 * one that never sent a request.
 */
export class Drain {
  #isStopping = false;
  #isPortClosed = false;
  #refusesAll = false;
  #newestAt = Number.NEGATIVE_INFINITY;
  #openReplies = new Set<ServerResponse>();
  #connections = new Set<Socket>();
  readonly #keptMs: number;

  /**
   * After `keptMs` milliseconds without a request the connections that a proxy keeps are closed. While it asks, each ends with its next request.
   */
  constructor(keptMs = 1000) {
    this.#keptMs = keptMs;
  }

  /** Part `process` of `/readyz`. */
  readonly check: ReadinessCheck = {
    name: "process",
    check: () => Promise.resolve(this.#isStopping ? "stopping" : undefined),
  };

  /** Adds the hooks. Called last, since it waits for requests that other `preClose` hooks end, such as event streams. */
  register(app: FastifyInstance): void {
    app.server.on("connection", (socket: Socket) => {
      this.#connections.add(socket);
      socket.once("close", () => this.#connections.delete(socket));
    });
    app.addHook("onRequest", (request, reply, done) => {
      const { url } = request.routeOptions;
      if (this.#refuses(url)) {
        done(new ProductError("unavailable", { retryAfter: graceMs / 1000 }));
        return;
      }
      // Fastify announces the end of each connection from the start of the stop, which would make a proxy open new ones until the port closes.
      if (this.#isStopping && !this.#isPortClosed) reply.raw.removeHeader("connection");
      if (url !== "/readyz" && url !== "/healthz") this.#newestAt = monotonicMs();
      this.#openReplies.add(reply.raw);
      reply.raw.once("close", () => this.#openReplies.delete(reply.raw));
      done();
    });
    app.addHook("preClose", async () => {
      const isQuietFor = (ms: number): boolean => monotonicMs() - this.#newestAt > ms;
      this.#isStopping = true;
      await until(() => isQuietFor(quietMs), noticeMs);
      await this.#closePort(app);
      // A request that is on its way while its connection is closed fails, and a proxy must not repeat it.
      const areConnectionsOver = (): boolean =>
        isQuietFor(this.#isPortClosed && this.#connections.size > 0 ? this.#keptMs : quietMs);
      await until(() => this.#openReplies.size === 0 && areConnectionsOver(), graceMs);
    });
  }

  #refuses(url: string | undefined): boolean {
    if (!this.#isStopping || url === "/readyz") return false;
    // The streams that were open have ended, and a new one would never.
    return this.#refusesAll || url === "/healthz" || url === "/api/events";
  }

  async #closePort(app: FastifyInstance): Promise<void> {
    if (app.addresses().length > 1) {
      // `localhost` may be two ports, of which Fastify closes the second one together with its connections.
      this.#refusesAll = true;
      return;
    }
    // Connections that the system has taken and this process has not would be reset: it has the last of them after an idle turn.
    await untilIdleTurn();
    this.#isPortClosed = true;
    // Not that of http, which also closes kept connections, on one of which a proxy may just be sending a request.
    Server.prototype.close.call(app.server);
  }
}

async function untilIdleTurn(): Promise<void> {
  const start = monotonicMs();
  for (let turns = 0; monotonicMs() - start < (turns < minTurns ? maxIdleWaitMs : idleWaitMs); turns += 1) {
    const began = monotonicMs();
    await turn();
    if (monotonicMs() - began < idleTurnMs) return;
  }
}

async function until(holds: () => boolean, withinMs: number): Promise<void> {
  const end = monotonicMs() + withinMs;
  while (!holds() && monotonicMs() < end) await pause(stepMs);
}
