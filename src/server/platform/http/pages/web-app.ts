import { existsSync } from "node:fs";
import { extname, join, sep } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance, FastifyReply, FastifyRequest } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { bodyOf } from "../errors.ts";
import { arrivalText } from "./arrival-text.ts";
import { sendNegotiated } from "./negotiated-text.ts";
import { wantsPage } from "./page-request.ts";
import { pageText, type Site } from "./page-texts.ts";

const html = "text/html; charset=utf-8";

/** Files of `scripts/build.mjs` that contain the operator's name and the site's origin. */
export const pages = [
  { route: "/", file: "index.html", type: html },
  { route: "/auth", file: "auth.html", type: html },
  { route: "/student", file: "student.html", type: html },
  { route: "/student/receipts/:id", file: "receipt.html", type: html },
  { route: "/watch/:id", file: "watch.html", type: html },
  { route: "/account", file: "account.html", type: html },
  { route: "/unsubscribe", file: "unsubscribe.html", type: html },
  { route: "/undo", file: "undo.html", type: html },
  { route: "/payment", file: "payment.html", type: html },
  { route: "/admin", file: "admin.html", type: html },
  { route: "/admin/preview", file: "admin-preview.html", type: html },
  { route: "/admin/payments/:id", file: "payment-request.html", type: html },
  { route: "/admin/users/:id", file: "user.html", type: html },
  { route: "/robots.txt", file: "robots.txt", type: "text/plain; charset=utf-8" },
  { route: "/sitemap.xml", file: "sitemap.xml", type: "application/xml; charset=utf-8" },
  { route: "/site.webmanifest", file: "site.webmanifest", type: "application/manifest+json; charset=utf-8" },
];

/** Extensions of files that the build also writes compressed. */
const compressed = new Set([".js", ".css", ".svg"]);

export type SendPage = (request: FastifyRequest, reply: FastifyReply) => FastifyReply;

/** Returns a function that sends the shell with the reply's status; the browser draws the error page of the path. Undefined without a build. */
export function errorPage(folder: string, site: Site): SendPage | undefined {
  if (!existsSync(join(folder, "shell.html"))) return undefined;
  const shell = pageText(folder, "shell.html", html, site);
  return (request, reply) => sendNegotiated(request, reply.header("cache-control", "no-store"), shell(request));
}

/**
 * Serves the web app of `dist/web`: the prerendered landing page at `/`, the shell at other routes, hashed assets with a lifetime of
 * one year, and the shell with status 404 for pages that do not exist.
 */
export function registerWebApp(
  app: FastifyInstance,
  folder: string,
  site: Site,
  sendNotFound: SendPage = (_request, reply) => reply.code(404).send(bodyOf(new ProductError("not_found"))),
): void {
  const sendErrorPage = errorPage(folder, site);
  app.setNotFoundHandler((request, reply) =>
    wantsPage(request) && sendErrorPage ? sendErrorPage(request, reply.code(404)) : sendNotFound(request, reply),
  );
  if (!sendErrorPage) return;

  void app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    // Both miss changes: packed files of all releases have one time. The assets need neither, and the other files are small.
    etag: false,
    lastModified: false,
    preCompressed: true,
    allowedPath: (path) => !/\.(html|br|gz)$/.test(path),
    setHeaders(reply, path) {
      const isHashed = path.startsWith(join(folder, "assets") + sep);
      reply.setHeader("cache-control", isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600");
      if (compressed.has(extname(path.replace(/\.(br|gz)$/, "")))) reply.setHeader("vary", "accept-encoding");
    },
  });
  for (const { route, file, type } of pages) {
    const text = arrivalText(route, file, type, folder, site);
    app.get(route, { config: { page: true } }, (request, reply) =>
      sendNegotiated(request, reply.header("cache-control", "no-cache"), text(request)),
    );
  }
}
