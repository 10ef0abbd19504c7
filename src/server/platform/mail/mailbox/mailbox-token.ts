import { randomBytes } from "node:crypto";
import type { FastifyRequest } from "fastify";
import type { Config } from "../../../config.ts";
import { isLoopbackHost } from "../../http/client/loopback.ts";
import { isSameSecret } from "../../http/secret-comparison.ts";

const cookieName = "mailbox";

/**
 * Returns the token that opens the mailbox: `MAILBOX_TOKEN`, else a random one. Undefined where there is no mailbox: with SMTP, in
 * production, and when `PUBLIC_URL` is not this machine (MAIL-2).
 */
export function chooseMailboxToken({ mail, operation, server }: Config): string | undefined {
  if (mail.smtpUrl !== undefined || operation.production) return undefined;
  if (server.publicUrl !== undefined && !isLoopbackHost(new URL(server.publicUrl).host)) return undefined;
  return mail.mailboxToken ?? randomBytes(24).toString("base64url");
}

/** Returns whether the address of a request carries the token: `?token=`. */
export function hasTokenInQuery({ query }: FastifyRequest, token: string): boolean {
  const { token: sent } = query as { token?: unknown };
  return typeof sent === "string" && isSameSecret(sent, token);
}

/** Returns whether a request carries the token as a bearer or in the cookie. */
export function hasTokenInHeaders({ headers }: FastifyRequest, token: string): boolean {
  if (isSameSecret(headers.authorization, `Bearer ${token}`)) return true;
  const cookies = headers.cookie?.split(";") ?? [];
  return cookies.some((cookie) => isSameSecret(cookie.trim(), nameAndValue(token)));
}

/** Returns the `Set-Cookie` header that keeps the mailbox open until the browser is closed, or the next start draws another token. */
export function mailboxCookie(token: string): string {
  return `${nameAndValue(token)}; Path=/mailbox; HttpOnly; SameSite=Strict`;
}

const nameAndValue = (token: string): string => `${cookieName}=${encodeURIComponent(token)}`;
