import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import fastifyStatic from "@fastify/static";
import type { FastifyInstance } from "fastify";
import { ProductError } from "#domain/messages";
import { bodyOf } from "./errors.ts";

/** The browser's routes besides `/`; each is served from the same unrendered shell. */
const shellRoutes = ["/auth", "/student", "/payment", "/admin"];

/**
 * Serves the built web app of `dist/web`: the prerendered landing page at `/`, hashed assets for a year, the shell at the other
 * routes, and the shell with status 404 where a browser asks for a page that is not there.
 */
export function registerWebApp(app: FastifyInstance, folder: string, siteName: string): void {
  const shell = readPage(join(folder, "shell.html"), siteName);
  const landing = readPage(join(folder, "index.html"), siteName);
  app.setNotFoundHandler((request, reply) => {
    const wantsPage = request.method === "GET" && (request.headers.accept ?? "").includes("text/html");
    if (!wantsPage || shell === undefined) return reply.code(404).send(bodyOf(new ProductError("not_found")));
    return reply.code(404).type("text/html; charset=utf-8").header("cache-control", "no-store").send(shell);
  });
  if (shell === undefined || landing === undefined) return;

  void app.register(fastifyStatic, {
    root: folder,
    index: false,
    cacheControl: false,
    allowedPath: (path) => !path.endsWith(".html"),
    setHeaders(reply, path) {
      const isHashed = path.includes("/assets/");
      reply.setHeader("cache-control", isHashed ? "public, max-age=31536000, immutable" : "public, max-age=3600");
    },
  });
  const servePage = (route: string, html: string): void => {
    app.get(route, (_request, reply) => reply.type("text/html; charset=utf-8").header("cache-control", "no-cache").send(html));
  };
  servePage("/", landing);
  for (const route of shellRoutes) servePage(route, shell);
}

function readPage(path: string, siteName: string): string | undefined {
  return existsSync(path) ? readFileSync(path, "utf8").replaceAll("%SITE_NAME%", escapeHtml(siteName)) : undefined;
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`);
}
