import { once } from "node:events";
import { connect, createServer, type Socket } from "node:net";
import { setTimeout as pause } from "node:timers/promises";
import { fixedPort } from "./fixed-port.ts";

/** A TCP address that leads to a server, and can fail as networks do. */
export interface TcpProxy {
  host: string;
  port: number;
  /** Connections taken so far, also by a path that is dark. */
  accepted(): number;
  /** Ends every connection; new ones work. */
  cut(): void;
  /** From now on nothing passes, on old connections and on new ones, and nobody is told. */
  goDark(): void;
  /** Ends every connection and refuses new ones until `restore`. */
  refuse(): Promise<void>;
  /** Every piece of data takes so many milliseconds longer. */
  delay(ms: number): void;
  /** New connections work again; dark ones are reset, or stay dark for ever. */
  restore(darkOnes?: "reset" | "stay dark"): Promise<void>;
  close(): Promise<void>;
}

/** Leads to a server, by its socket's folder as PostgreSQL does or by TCP; `isDark` starts it as an address that says nothing. */
export async function startTcpProxy(target: { host: string; port: number }, isDark = false): Promise<TcpProxy> {
  const sockets = new Set<Socket>();
  let accepted = 0;
  let delayMs = 0;
  // Connections belong to the path they were opened on: one that went dark stays so when a new path is laid.
  let path = { isDark };
  const server = createServer((client) => {
    accepted += 1;
    const own = path;
    const { host, port } = target;
    const upstream = connect(host.startsWith("/") ? { path: `${host}/.s.PGSQL.${port}` } : target);
    const pass = (from: Socket, to: Socket): void => {
      sockets.add(from);
      // One after the other: data must not overtake what is still delayed.
      let passed = Promise.resolve();
      from.on("data", (data) => {
        const delay = delayMs === 0 ? undefined : pause(delayMs);
        passed = passed.then(async () => {
          await delay;
          if (!own.isDark) to.write(data);
        });
      });
      from.on("error", () => {});
      from.on("close", () => {
        sockets.delete(from);
        // Over a dark path, an end is not heard of either.
        if (!own.isDark) to.destroy();
      });
    };
    pass(client, upstream);
    pass(upstream, client);
  });
  const port = await fixedPort();
  const listen = async (): Promise<void> => {
    server.listen(port, "127.0.0.1");
    await once(server, "listening");
  };
  const cut = (): void => {
    for (const socket of sockets) socket.destroy();
  };
  const stop = async (): Promise<void> => {
    path = { isDark: false };
    cut();
    if (server.listening) await new Promise((closed) => server.close(closed));
  };
  await listen();
  return {
    host: "127.0.0.1",
    port,
    accepted: () => accepted,
    cut,
    goDark() {
      path.isDark = true;
    },
    refuse: stop,
    delay(ms) {
      delayMs = ms;
    },
    async restore(darkOnes = "reset") {
      path = { isDark: false };
      if (darkOnes === "reset") cut();
      if (!server.listening) await listen();
    },
    close: stop,
  };
}
