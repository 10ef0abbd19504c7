import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import type { Dependencies } from "../../../dependencies.ts";
import { isFromThisMachine } from "../../http/loopback.ts";
import { mailboxPage, mailboxStyles, type ShownMail } from "./mailbox-page.ts";
import * as queries from "../queries.ts";
import { openBody } from "../seal.ts";

const shownMails = 100;

/**
 * The mailbox of a site without SMTP (MAIL-2): a page for the developer and the same as JSON for tests. Only for requests made on this
 * machine for this machine, and never in production; every other request gets 404.
 */
export function registerMailbox(app: FastifyInstance, deps: Dependencies): void {
  const { config } = deps;
  if (config.mail.smtpUrl !== undefined || config.operation.production) return;

  const onlyHere = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isFromThisMachine(request)) {
      reply.header("cache-control", "no-store");
      return undefined;
    }
    reply.callNotFound();
    return reply;
  };
  app.get("/mailbox", { preHandler: onlyHere }, async (_request, reply) =>
    reply.type("text/html; charset=utf-8").send(mailboxPage(config.site.name, await readMails(deps, undefined))),
  );
  app.get("/mailbox.css", { preHandler: onlyHere }, (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(mailboxStyles),
  );
  app.get<{ Querystring: { to?: string | string[] } }>("/mailbox.json", { preHandler: onlyHere }, async (request) => {
    const mails = await readMails(deps, [request.query.to].flat()[0]?.trim().toLowerCase());
    return mails.map(({ to, subject, text, sent_at }) => ({ to, subject, text, sent_at }));
  });
}

async function readMails({ db, secrets }: Dependencies, recipient: string | undefined): Promise<ShownMail[]> {
  if (recipient?.includes("\0")) return [];
  const rows = await queries.listReadable(db, recipient, shownMails);
  return rows.flatMap(({ id, recipient: to, subject, sealed_body, sent_at }) => {
    if (sealed_body === null || sent_at === null) return [];
    try {
      const { text, highlight } = openBody(secrets.mailKey, to, sealed_body);
      return [{ id, to, subject, text, highlight, sent_at: sent_at.toISOString() }];
    } catch {
      // Sealed by secrets of another data folder, so it cannot be read.
      return [];
    }
  });
}
