import type { ServerResponse } from "node:http";
import type { TcpProxy } from "../../support/network/tcp-proxy.ts";
import { lasting, sudden, type FaultKind } from "./fault-kind.ts";
import type { World } from "./world.ts";

/** What a broken service says. */
const nonsense: ((reply: ServerResponse) => unknown)[] = [
  (reply) => reply.end("<html>"),
  (reply) => reply.end('{"bitcoin":{}}'),
  (reply) => reply.end('{"bitcoin":{"usd":0}}'),
  (reply) => reply.end('{"bitcoin":{"usd":1e30},"ethereum":{"usd":-5}}'),
  (reply) => reply.end("[1, 2, 3]"),
  (reply) => reply.writeHead(500).end(),
  (reply) => reply.writeHead(429, { "retry-after": "1" }).end(),
  (reply) => reply.destroy(),
];

/** Replies, if at all, after so many milliseconds. */
const slowly =
  (ms: number) =>
  (reply: ServerResponse): void => {
    setTimeout(() => reply.destroyed || reply.end('{"bitcoin":{"usd":45020}}'), ms).unref();
  };

/** What an outage, a cut and a silence do to one line. */
function faultsOfLine(name: string, weight: number, lineOf: (world: World) => TcpProxy | undefined): FaultKind[] {
  return [
    sudden(`${name}: all connections cut`, 2 * weight, (world) => {
      const line = lineOf(world);
      line?.cut();
      return line !== undefined;
    }),
    lasting(`${name}: away`, weight, [200, 1500], async (world) => {
      const line = lineOf(world);
      await line?.refuse();
      return line && (() => line.restore());
    }),
    lasting(`${name}: silent`, weight, [200, 1500], (world) => {
      const line = lineOf(world);
      line?.goDark();
      return line && (() => line.restore());
    }),
  ];
}

export const faultsOfServices: FaultKind[] = [
  ...faultsOfLine("mail server", 3, ({ services }) => services.mailLine),
  lasting("mail server: takes a mail and loses the reply", 6, [100, 600], ({ services: { mailMood } }) => {
    mailMood.losesReplies = true;
    return () => (mailMood.losesReplies = false);
  }),
  lasting("mail server: puts mails off (451)", 2, [200, 1000], ({ services: { mailMood } }) => {
    mailMood.later = "4.3.2 Try again later";
    return () => (mailMood.later = undefined);
  }),
  lasting("mail server: refuses this site (554)", 1, [200, 1000], ({ services: { mailMood } }) => {
    mailMood.atConnect = { code: 554, text: "5.7.1 Your address is on a list" };
    return () => (mailMood.atConnect = undefined);
  }),
  ...faultsOfLine("bucket", 2, ({ services }) => services.store?.line),
  lasting("bucket: held still (SIGSTOP)", 2, [200, 1500], ({ services: { store } }) => {
    store?.server.pause();
    return store && (() => store.server.resume());
  }),
  lasting("webhook receiver: replies 500", 3, [100, 500], ({ services: { receiver } }) => {
    const { reply } = receiver;
    receiver.reply = (response) => response.writeHead(500).end();
    return () => (receiver.reply = reply);
  }),
  lasting("webhook receiver: cuts connections", 3, [100, 500], ({ services: { receiver } }) => {
    const { reply } = receiver;
    receiver.reply = (response) => response.destroy();
    return () => (receiver.reply = reply);
  }),
  lasting("price service: nonsense", 6, [200, 600], (world, random) => {
    const { price } = world.services;
    const healthy = price.respond;
    price.respond = random.pick(nonsense)!;
    askForPrice(world);
    return () => (price.respond = healthy);
  }),
  lasting("price service: slow", 3, [200, 600], (world, random) => {
    const { price } = world.services;
    const healthy = price.respond;
    price.respond = slowly(random.between(500, 4000));
    askForPrice(world);
    return () => (price.respond = healthy);
  }),
  lasting("chain service: nonsense", 6, [500, 1500], ({ services: { chain } }, random) => {
    const reply = random.pick(nonsense)!;
    chain.instead = (_request, response) => void reply(response);
    return () => (chain.instead = undefined);
  }),
  lasting("chain service: slow", 3, [500, 1500], ({ services: { chain } }, random) => {
    const reply = slowly(random.between(500, 4000));
    chain.instead = (_request, response) => reply(response);
    return () => (chain.instead = undefined);
  }),
];

/** Has the site ask the service while it is broken, without waiting for what it says. */
function askForPrice({ ask, admin }: World): void {
  void ask("GET", "/api/crypto-price/bitcoin", undefined, { token: admin.token });
}
