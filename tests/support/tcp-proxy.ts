import { once } from "node:events";
import { connect, createServer, type AddressInfo, type Socket } from "node:net";

/** A TCP address that leads to a PostgreSQL, and can fail as networks do. */
export interface TcpProxy {
  host: string;
  port: number;
  /** Connections taken so far, also by a path that is dark. */
  accepted(): number;
  /** From now on nothing passes, on old connections and on new ones, and nobody is told. */
  goDark(): void;
  /** Ends every connection and refuses new ones until `restore`. */
  refuse(): Promise<void>;
  /** New connections work again; dark ones are reset. */
  restore(): Promise<void>;
  close(): Promise<void>;
}

/** Leads to the socket of `postgres`; `isDark` starts it as an address that accepts and says nothing. */
export async function startTcpProxy(postgres: { host: string; port: number }, isDark = false): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let dark = isDark;
  const server = createServer((client) => {
    accepted += 1;
    const upstream = connect(`${postgres.host}/.s.PGSQL.${postgres.port}`);
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from);
      from.on("data", (data) => void (dark || to.write(data)));
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        // Over a dark path, an end is not heard of either.
        if (!dark) to.destroy();
      });
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  const listen = async (port: number): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const destroyAll = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async (): Promise<void> => {
    dark = false;
    destroyAll();
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  await listen(0);
  const { port } = server.address() as AddressInfo;
  return {
    host: "127.0.0.1",
    port,
    accepted: () => accepted,
    goDark() {
      dark = true;
    },
    refuse: stop,
    async restore() {
      dark = false;
      destroyAll();
      if (!server.listening) await listen(port);
    },
    close: stop,
  };
}
