import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import * as z from "zod";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { isFromThisMachine } from "../../http/client/loopback.ts";
import { contentPolicy } from "../../http/security-headers.ts";
import { mailboxPage, mailboxStyles, type MailboxMail } from "./mailbox-page.ts";
import { hasTokenInHeaders, hasTokenInQuery, mailboxCookie } from "./mailbox-token.ts";
import * as queries from "../queries.ts";
import { openBody } from "../seal.ts";

const maxMails = 100;

/** The page displays each mail's HTML in a frame. */
const pagePolicy = `${contentPolicy}; frame-src 'self'`;
/** A mail runs no script and loads nothing; its links open in a window of their own. */
const mailPolicy =
  "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'; frame-ancestors 'self'";

const MailParams = z.object({ id: z.coerce.number().int().positive() });

/**
 * The mailbox of a site without SMTP (MAIL-2): a page for the developer and the same as JSON for tests. It opens with its token, to
 * requests made on this machine for this machine; other requests get 404. A site that has no mailbox token has no such routes.
 */
export function registerMailbox(app: FastifyInstance, deps: Dependencies): void {
  const { config, mailboxToken: token } = deps;
  if (token === undefined) return;

  const onlyHere = async (request: FastifyRequest, reply: FastifyReply): Promise<FastifyReply | undefined> => {
    if (isFromThisMachine(request)) {
      reply.header("cache-control", "no-store");
      return undefined;
    }
    reply.callNotFound();
    return reply;
  };
  const withToken = async (request: FastifyRequest): Promise<void> => {
    if (!hasTokenInQuery(request, token) && !hasTokenInHeaders(request, token)) {
      throw new ProductError("mailbox_token_needed");
    }
  };
  const preHandler = [onlyHere, withToken];

  app.get("/mailbox", { preHandler, config: { opensInTab: true } }, async (request, reply) => {
    // The token leaves the address, which browsers keep and display.
    if (hasTokenInQuery(request, token)) return reply.header("set-cookie", mailboxCookie(token)).redirect("/mailbox", 303);
    const page = mailboxPage(config.site.name, await readMails(deps, {}));
    return reply.header("content-security-policy", pagePolicy).type("text/html; charset=utf-8").send(page);
  });
  app.get("/mailbox/mails/:id", { preHandler }, async (request, reply) => {
    const { data } = MailParams.safeParse(request.params);
    const [mail] = data ? await readMails(deps, data) : [];
    if (!mail) throw new ProductError("not_found");
    reply.header("content-security-policy", mailPolicy).header("x-frame-options", "SAMEORIGIN");
    return reply.type("text/html; charset=utf-8").send(mail.html.replace("<head>", `$&<base target="_blank">`));
  });
  app.get("/mailbox.css", { preHandler: onlyHere }, (_request, reply) =>
    reply.type("text/css; charset=utf-8").send(mailboxStyles),
  );
  app.get<{ Querystring: { to?: string | string[] } }>("/mailbox.json", { preHandler }, async (request) => {
    const mails = await readMails(deps, { recipient: [request.query.to].flat()[0]?.trim().toLowerCase() });
    return mails.map(({ to, subject, text, html, sent_at }) => ({ to, subject, text, html, sent_at }));
  });
}

async function readMails({ db, secrets }: Dependencies, filter: queries.ReadableFilter): Promise<MailboxMail[]> {
  const rows = await queries.findAllReadable(db, filter, maxMails);
  return rows.flatMap(({ id, recipient: to, subject, sealed_body, sent_at }) => {
    if (sealed_body === null || sent_at === null) return [];
    try {
      const { text, html, highlight } = openBody(secrets.mailKey, to, sealed_body);
      return [{ id, to, subject, text, html, highlight, sent_at: sent_at.toISOString() }];
    } catch {
      // Sealed by secrets of another data folder, so it cannot be read.
      return [];
    }
  });
}
