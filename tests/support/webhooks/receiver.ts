import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";
import { text } from "node:stream/consumers";

/** A request as it arrived. */
export interface Received {
  headers: IncomingHttpHeaders;
  body: string;
}

export interface WebhookReceiver {
  url: string;
  /** The oldest first, also those that were refused. */
  received: Received[];
  /** How the next requests are replied to; by default with 204. */
  reply: (response: ServerResponse, received: Received) => unknown;
  stop(): Promise<void>;
}

/** The type of an event that was received. */
export const typeOf = ({ body }: Received): string => (JSON.parse(body) as { type: string }).type;

/** The id of an event that was received, the same at every attempt. */
export const idOf = ({ headers }: Received): unknown => headers["webhook-id"];

/** A real HTTP server on this machine that takes webhooks. */
export async function webhookReceiver(): Promise<WebhookReceiver> {
  const server = createServer((request, response) => {
    void text(request).then(
      (body) => {
        const received: Received = { headers: request.headers, body };
        receiver.received.push(received);
        receiver.reply(response, received);
      },
      // The sender has given up.
      () => {},
    );
  });
  const receiver: WebhookReceiver = {
    url: "",
    received: [],
    reply: (response) => response.writeHead(204).end(),
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  receiver.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook/?token=1`;
  return receiver;
}
