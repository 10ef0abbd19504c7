import { randomInt } from "node:crypto";
import { once } from "node:events";
import { createServer } from "node:net";

/** Browsers and `fetch` refuse 10080. */
const lowest = 10_081;

/**
 * Returns a port that is free now. It is below 32768, where systems assign none by themselves, so it most likely stays free until it is bound, and
 * while its server is stopped.
 */
export async function fixedPort(): Promise<number> {
  for (;;) {
    const port = randomInt(lowest, 32_000);
    const server = createServer().listen(port, "127.0.0.1");
    const isFree = await once(server, "listening").then(
      () => true,
      () => false,
    );
    if (!isFree) continue;
    server.close();
    await once(server, "close");
    return port;
  }
}
