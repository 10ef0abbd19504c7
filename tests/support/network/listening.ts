import { once } from "node:events";
import { connect } from "node:net";

/** Waits until a port of this machine accepts connections; throws after a minute and a half. */
export async function untilListening(port: number): Promise<void> {
  for (let tries = 0; ; tries += 1) {
    const socket = connect(port, "127.0.0.1");
    try {
      await once(socket, "connect");
      return;
    } catch (error) {
      if (tries > 1800) throw error;
      await new Promise((resolve) => setTimeout(resolve, 50));
    } finally {
      socket.destroy();
    }
  }
}
