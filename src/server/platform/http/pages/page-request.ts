import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route replies with a page of the web app and reads nothing of the query. */
    page?: true;
    /** The address of this call is opened in a tab: a browser gets a page when it is refused. */
    opensInTab?: true;
  }
}

/** Below these every path is a call's; all others are of pages and files. */
const callPath = /^\/(api|auth\/v1|functions|storage)\//;

/** Returns whether a request reads a page or a file of the web app, or one that does not exist. */
export function isForPage(request: FastifyRequest): boolean {
  return readsPage(request) && !callPath.test(request.url);
}

/** Returns whether a browser asks for a page, also at the path of a call that does not exist. */
export function wantsPage(request: FastifyRequest): boolean {
  return readsPage(request) && acceptsHtml(request);
}

/** Returns whether a refusal of this request is read by a person, in a tab, and not by a program. */
export function wantsErrorPage(request: FastifyRequest): boolean {
  return request.routeOptions.config.opensInTab === true && acceptsHtml(request);
}

function acceptsHtml({ headers }: FastifyRequest): boolean {
  return (headers.accept ?? "").includes("text/html");
}

function readsPage({ method, is404, routeOptions }: FastifyRequest): boolean {
  // "/*" is the route of static files; a path without a file is a page that does not exist.
  const isPage = is404 || routeOptions.url === "/*" || routeOptions.config.page === true;
  return isPage && ["GET", "HEAD"].includes(method);
}
