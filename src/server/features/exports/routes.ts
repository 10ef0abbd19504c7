import { Readable } from "node:stream";
import type { FastifyInstance, FastifyRequest } from "fastify";
import { exportNames } from "#domain/api/exports";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit } from "../../platform/audit.ts";
import { csvOf } from "../../platform/csv.ts";
import { requireAdmin, type Authenticate, type Principal } from "../../platform/http/access.ts";
import { originOf } from "../../platform/http/origin.ts";
import { forAdmin } from "../../platform/http/router.ts";
import { linkAuthenticator } from "../auth/service.ts";
import { tableOf } from "./tables.ts";

/** Seconds in which the browser has to begin. */
const linkSeconds = 60;

export const exportRoutes = {
  link: forAdmin.exports.link.handler(({ context, input: { params, body } }) => {
    const { deps, principal, request } = context;
    tableOf(params.name, body.filters);
    const query = new URLSearchParams(body.filters).toString();
    const address = `/api/export/${params.name}.csv${query === "" ? "" : `?${query}`}`;
    const { token, expires_at } = deps.links.signAddress(address, principal, linkSeconds);
    const url = `${originOf(deps.config.server.publicUrl, request)}${address}${query === "" ? "?" : "&"}token=${token}`;
    return { url, expires_at: expires_at.toISOString() };
  }),
};

/**
 * `GET /api/export/{name}.csv`: a table with the filters of its list, for the admin's session or by a link of it (EXPORT-1). It is read
 * while it is sent: a reader who is slow or leaves holds nothing. Each has an entry in the audit log.
 */
export function registerExports(app: FastifyInstance, deps: Dependencies, authenticate: Authenticate): void {
  const authenticateLink = linkAuthenticator(deps);
  const readerOf = (request: FastifyRequest): Promise<Principal> => {
    const url = new URL(request.url, "http://localhost");
    const token = url.searchParams.get("token");
    if (token === null) return authenticate(request.headers.authorization);
    url.searchParams.delete("token");
    return authenticateLink(deps.links.readAddress(token, url.pathname + url.search).viewer);
  };
  for (const name of exportNames) {
    app.get(`/api/export/${name}.csv`, { config: { opensInTab: true } }, async (request, reply) => {
      const principal = await readerOf(request);
      requireAdmin(principal);
      const { filters, read } = tableOf(name, request.query);
      const at = deps.clock.now();
      void reply.type("text/csv; charset=utf-8").headers({
        "cache-control": "no-store",
        "content-disposition": `attachment; filename="${name}-${at.toISOString().slice(0, 10)}.csv"`,
        // The address may open the table, so no Referer may leak it.
        "referrer-policy": "no-referrer",
      });
      if (request.method === "HEAD") return reply.send();
      const actor = { id: principal.id, email: principal.email, ip: request.ip };
      await recordAudit(deps.db, actor, {
        at,
        action: `export.${name}`,
        subject: { type: "export", id: name },
        details: { filters },
      });
      return reply.send(Readable.from(csvOf(read(deps.db)), { objectMode: false }));
    });
  }
}
