import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route replies with a page of the web app and reads nothing of the query. */
    page?: true;
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
  return readsPage(request) && (request.headers.accept ?? "").includes("text/html");
}

function readsPage({ method, is404, routeOptions }: FastifyRequest): boolean {
  // "/*" is the route of static files; a path without a file is a page that does not exist.
  const isPage = is404 || routeOptions.url === "/*" || routeOptions.config.page === true;
  return isPage && ["GET", "HEAD"].includes(method);
}
