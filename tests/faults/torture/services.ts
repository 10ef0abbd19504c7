import { createServer, type ServerResponse } from "node:http";
import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { startEsplora, type Esplora } from "../../support/chains/esplora.ts";
import { mailServer, type Mailserver, type Refusal } from "../../support/mails/mail-server.ts";
import { hasS3Server, startS3Server, type S3Server } from "../../support/s3/server.ts";
import { startTcpProxy, type TcpProxy } from "../../support/network/tcp-proxy.ts";
import { idOf, webhookReceiver, type WebhookReceiver } from "../../support/webhooks/receiver.ts";

/** How the mail server treats the next mails. */
export interface MailMood {
  /** Refuses every connection. */
  atConnect: Refusal | undefined;
  /** Puts every mail off (451). */
  later: string | undefined;
  /** Takes a mail and loses the line before it can say so. */
  losesReplies: boolean;
}

/** What the site asks of others, each behind a line that can fail. */
export interface Services {
  environment: Record<string, string>;
  mail: Mailserver;
  mailMood: MailMood;
  mailLine: TcpProxy;
  receiver: WebhookReceiver;
  /** Ids of the events that were replied to with 204. */
  delivered: Set<string>;
  price: { respond: (reply: ServerResponse) => void };
  chain: Esplora;
  /** Undefined where files are on the disk. */
  store: { server: S3Server; line: TcpProxy } | undefined;
  /** Ends every fault of these services. */
  heal(): Promise<void>;
  close(): Promise<void>;
}

const healthyPrice = (reply: ServerResponse): void =>
  void reply.writeHead(200, { "content-type": "application/json" }).end('{"bitcoin":{"usd":45010},"ethereum":{"usd":3001}}');

export async function startServices(wantsStore: boolean): Promise<Services> {
  const mailMood: MailMood = { atConnect: undefined, later: undefined, losesReplies: false };
  const mail = await mailServer({
    refuse: () => mailMood.later,
    refuseAt: { connect: () => mailMood.atConnect },
    // Cut now, so that the mail is taken and its reply finds nobody.
    hold: async () => void (mailMood.losesReplies && mailLine.cut()),
  });
  const mailLine = await startTcpProxy({ host: "127.0.0.1", port: mail.port });
  const receiver = await webhookReceiver();
  const delivered = new Set<string>();
  const take: WebhookReceiver["reply"] = (response, received) => {
    delivered.add(String(idOf(received)));
    response.writeHead(204).end();
  };
  const price = { respond: healthyPrice };
  const prices = createServer((_request, reply) => price.respond(reply)).listen(0, "127.0.0.1");
  await once(prices, "listening");
  const chain = await startEsplora();
  const store = wantsStore && hasS3Server ? await startStore() : undefined;

  const heal = async (): Promise<void> => {
    Object.assign(mailMood, { atConnect: undefined, later: undefined, losesReplies: false });
    receiver.reply = take;
    price.respond = healthyPrice;
    chain.instead = undefined;
    store?.server.resume();
    await Promise.all([mailLine.restore(), store?.line.restore()]);
  };
  await heal();
  return {
    environment: {
      SMTP_URL: `smtp://127.0.0.1:${mailLine.port}`,
      WEBHOOK_URL: receiver.url,
      WEBHOOK_SECRET: "whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw",
      PRICE_API_URL: `http://127.0.0.1:${(prices.address() as AddressInfo).port}/`,
      PRICE_REFRESH: "1m",
      BITCOIN_API_URL: chain.url,
      ...(store && storeSettings(store)),
    },
    mail,
    mailMood,
    mailLine,
    receiver,
    delivered,
    price,
    chain,
    store,
    heal,
    async close() {
      await heal();
      prices.closeAllConnections();
      prices.close();
      await Promise.all([mailLine.close(), receiver.stop(), chain.stop(), mail.stop()]);
      await store?.line.close();
      await store?.server.close();
    },
  };
}

async function startStore(): Promise<NonNullable<Services["store"]>> {
  const server = await startS3Server();
  const line = await startTcpProxy({ host: "127.0.0.1", port: Number(new URL(server.settings.endpoint).port) });
  return { server, line };
}

function storeSettings({ server: { settings }, line }: NonNullable<Services["store"]>): Record<string, string> {
  return {
    S3_ENDPOINT: `http://127.0.0.1:${line.port}`,
    S3_REGION: settings.region,
    S3_BUCKET: settings.bucket,
    S3_ACCESS_KEY_ID: settings.accessKeyId,
    S3_SECRET_ACCESS_KEY: settings.secretAccessKey,
    S3_PATH_STYLE: "on",
  };
}
