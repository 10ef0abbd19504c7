import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { SMTPServer, type SMTPServerDataStream } from "smtp-server";

export interface Mailserver {
  url: string;
  port: number;
  /** Whole messages with their envelope, in the order they were taken. */
  taken: { from: string; to: string[]; message: string; isEncrypted: boolean }[];
  stop(): Promise<void>;
}

/** A reply other than 250. */
export interface Refusal {
  code: number;
  text: string;
}

export interface Behaviour {
  /** By default 127.0.0.1. */
  host?: string;
  port?: number;
  /** Offers STARTTLS, with a certificate that nobody signed. */
  hasTls?: boolean;
  /** Speaks TLS from the first byte, with such a certificate. */
  isSmtps?: boolean;
  /** What a mail waits for before it is taken. */
  hold?: (to: string | undefined) => Promise<unknown> | undefined;
  /** Refuses a message for the time being (451). */
  refuse?: () => string | undefined;
  /** Refuses at a step of SMTP. */
  refuseAt?: {
    connect?: () => Refusal | undefined;
    sender?: () => Refusal | undefined;
    recipient?: (to: string) => Refusal | undefined;
  };
}

const refused = ({ code, text }: Refusal): Error => Object.assign(new Error(text), { responseCode: code });

/** A real SMTP server. */
export async function mailServer(behaviour: Behaviour = {}): Promise<Mailserver> {
  const taken: Mailserver["taken"] = [];
  const { host = "127.0.0.1", isSmtps = false } = behaviour;
  const { connect, sender, recipient } = behaviour.refuseAt ?? {};
  const reply = (refusal: Refusal | undefined, done: (error?: Error) => void): void => done(refusal && refused(refusal));
  const server = new SMTPServer({
    authOptional: true,
    secure: isSmtps,
    disabledCommands: behaviour.hasTls === true ? ["AUTH"] : ["STARTTLS", "AUTH"],
    onConnect: (_session, done) => reply(connect?.(), done),
    onMailFrom: (_address, _session, done) => reply(sender?.(), done),
    onRcptTo: ({ address }, _session, done) => reply(recipient?.(address), done),
    onData(stream: SMTPServerDataStream, session, done) {
      const pieces: Buffer[] = [];
      stream.on("data", (piece: Buffer) => pieces.push(piece));
      const take = async (): Promise<void> => {
        const refusal = behaviour.refuse?.();
        const { mailFrom, rcptTo } = session.envelope;
        await behaviour.hold?.(rcptTo[0]?.address);
        if (refusal !== undefined) return done(refused({ code: 451, text: refusal }));
        taken.push({
          from: mailFrom ? mailFrom.address : "",
          to: rcptTo.map(({ address }) => address),
          message: Buffer.concat(pieces).toString(),
          isEncrypted: session.secure,
        });
        done();
      };
      stream.on("end", () => void take());
    },
  });
  server.on("error", () => {});
  server.listen(behaviour.port ?? 0, host);
  await once(server.server, "listening");
  const { port } = server.server.address() as AddressInfo;
  const stop = () => new Promise<void>((resolve) => server.close(() => resolve()));
  return { url: `smtp${isSmtps ? "s" : ""}://${host}:${port}`, port, taken, stop };
}
