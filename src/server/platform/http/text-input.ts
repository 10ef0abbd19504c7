import type { FastifyInstance } from "fastify";
import { ProductError } from "#domain/errors/messages";
import { isForPage } from "./pages/page-request.ts";

/** The depth of JSON, more than any call accepts. */
const maxDepth = 32;

/** A letter or a digit that is percent-encoded without need (RFC 3986, section 6.2.2.2). */
const encodedLetter = /%(3\d|[46][1-9a-f]|[57][0-9a])/gi;

/**
 * Returns the URL to route by (Fastify's `rewriteUrl`). In a path that cannot be decoded every percent sign is encoded, so that it is
 * an unknown path and passes the hooks; the router alone would refuse it without headers. Letters and digits are decoded, as the router does, so
 * that `/%61pi/` is `/api/` for whoever else reads the path.
 */
export function decodableUrl({ url = "/" }: { url?: string }): string {
  const path = pathOf(url);
  const routed = decoded(path) === undefined ? path.replaceAll("%", "%25") : path.replace(encodedLetter, decodeURIComponent);
  return routed + url.slice(path.length);
}

/**
 * Refuses requests with invalid text before they reach a route, by `invalid_input`: NUL, which PostgreSQL does not store, lone
 * surrogates and invalid UTF-8, in the URL, the headers or a JSON body. For pages a path that cannot be decoded is an unknown one,
 * and the query is not checked: the server does not read it, and links on other sites may end in "?utm=50%off".
 */
export function refuseMalformedText(app: FastifyInstance): void {
  app.addHook("onRequest", (request, _reply, done) => {
    const url = decoded(isForPage(request) ? pathOf(request.url) : request.originalUrl);
    const isWellFormed = url !== undefined && isText(url) && Object.values(request.headers).flat().every(isTextOrAbsent);
    done(isWellFormed ? undefined : new ProductError("invalid_input"));
  });
  app.addHook("preValidation", (request, _reply, done) => {
    done(isTextThroughout(request.body) ? undefined : new ProductError("invalid_input"));
  });
}

/** Parses JSON as UTF-8 without a byte order mark. An empty body counts as none, since many clients send one with `POST`. */
export function parseJsonBodies(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser("error", "error");
  app.removeAllContentTypeParsers();
  app.addContentTypeParser("application/json", { parseAs: "buffer" }, (request, body, done) => {
    if (body.length === 0) {
      done(null, undefined);
      return;
    }
    try {
      const text = decodeText(body as Buffer);
      if (text.startsWith("\ufeff")) throw new ProductError("invalid_input");
      void parse(request, text, done);
    } catch {
      done(new ProductError("invalid_input"));
    }
  });
}

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

/** Returns the text of UTF-8 bytes. Throws `invalid_input` for other bytes and for NUL. */
export function decodeText(bytes: Uint8Array): string {
  try {
    const text = utf8.decode(bytes);
    if (isText(text)) return text;
  } catch {
    // Not UTF-8.
  }
  throw new ProductError("invalid_input");
}

/** Returns whether a text is well-formed Unicode without NUL. */
export function isText(text: string): boolean {
  return !text.includes("\0") && !/\p{Surrogate}/u.test(text);
}

function isTextOrAbsent(text: string | undefined): boolean {
  return text === undefined || isText(text);
}

function pathOf(url: string): string {
  return url.split("?", 1)[0]!;
}

function decoded(url: string): string | undefined {
  try {
    return decodeURIComponent(url);
  } catch {
    return undefined;
  }
}

function isTextThroughout(value: unknown, depth = 0): boolean {
  if (typeof value === "string") return isText(value);
  if (typeof value !== "object" || value === null) return true;
  if (depth === maxDepth) return false;
  return Object.entries(value).every(([key, inner]) => isText(key) && isTextThroughout(inner, depth + 1));
}
