import { Socket } from "node:net";
import pg from "pg";
import { connectSession, directConnection, type ConnectionSettings } from "./connections.ts";

interface Options extends ConnectionSettings {
  /** The statement that begins a transaction; `begin` unless it also sets limits. */
  begin?: string;
}

/** A pool that can close all its connections at once, including those that wait for a reply or are being opened. */
export class DroppablePool extends pg.Pool {
  readonly begin: string;
  readonly #direct: pg.ClientConfig;
  readonly #sockets: ReadonlySet<Socket>;

  constructor({ begin = "begin", ...options }: Options) {
    const sockets = new Set<Socket>();
    const stream = (): Socket => {
      const socket = new Socket();
      sockets.add(socket);
      return socket.once("close", () => sockets.delete(socket));
    };
    super({ ...options, stream });
    this.begin = begin;
    this.#direct = { ...options, ...directConnection(options), stream };
    this.#sockets = sockets;
  }

  /** Opens a connection outside of the pool, whose session is its own also where the pool's lead through a pooler. The caller ends it. */
  openSession(): Promise<pg.Client> {
    return connectSession(this.#direct);
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
