import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

export interface Mailserver {
  url: string;
  port: number;
  /** Whole messages with their envelope, in the order they were taken. */
  taken: { from: string; to: string[]; message: string }[];
  stop(): Promise<void>;
}

/** A real SMTP server; `refuse` answers an error for a mail, `delayMs` is how long it takes over each. */
export async function mailServer(
  behaviour: { port?: number; delayMs?: (to: string | undefined) => number; refuse?: () => string | undefined } = {},
): Promise<Mailserver> {
  const taken: Mailserver["taken"] = [];
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ["STARTTLS", "AUTH"],
    onData(stream: SMTPServerDataStream, session, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      stream.on("end", () => {
        const refusal = behaviour.refuse?.();
        setTimeout(
          () => {
            if (refusal !== undefined) return done(Object.assign(new Error(refusal), { responseCode: 451 }));
            const { mailFrom, rcptTo } = session.envelope;
            taken.push({
              from: mailFrom ? mailFrom.address : "",
              to: rcptTo.map(({ address }) => address),
              message: Buffer.concat(pieces).toString(),
            });
            done();
          },
          behaviour.delayMs?.(session.envelope.rcptTo[0]?.address) ?? 0,
        );
      });
    },
  });
  server.on("error", () => {});
  server.listen(behaviour.port ?? 0, "127.0.0.1");
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp://127.0.0.1:${port}`, port, taken, stop };
}
