import { Socket } from "node:net";
import pg from "pg";

/** A pool that can close all its connections at once, including those that wait for a reply or are being opened. */
export class DroppablePool extends pg.Pool {
  readonly #sockets: ReadonlySet<Socket>;

  constructor(options: pg.PoolConfig) {
    const sockets = new Set<Socket>();
    const stream = (): Socket => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    };
    super({ ...options, stream });
    this.#sockets = sockets;
  }

  /** Closes every connection. Their statements fail; later ones use new connections. */
  dropAll(): void {
    for (const socket of this.#sockets) socket.destroy();
  }

  /** Closes connections that have not received any byte. */
  dropUnanswered(): void {
    for (const socket of this.#sockets) if (socket.bytesRead === 0) socket.destroy();
  }
}
