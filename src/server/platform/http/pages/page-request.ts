import type { FastifyRequest } from "fastify";

declare module "fastify" {
  interface FastifyContextConfig {
    /** The route replies with a page of the web app and reads nothing of the query. */
    page?: true;
  }
}

/** Returns whether a browser asks for a page: one of the web app, or one that does not exist. */
export function wantsPage({ method, headers, is404, routeOptions }: FastifyRequest): boolean {
  // "/*" is the route of static files; a path without a file is a page that does not exist.
  const isPage = is404 || routeOptions.url === "/*" || routeOptions.config.page === true;
  return isPage && ["GET", "HEAD"].includes(method) && (headers.accept ?? "").includes("text/html");
}
