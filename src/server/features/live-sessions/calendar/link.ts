import { createHmac } from "node:crypto";
import { id } from "#domain/api/fields";
import { ProductError } from "#domain/errors/messages";
import { hasLiveSessions } from "#domain/live-sessions/live-session";
import type { Dependencies } from "../../../dependencies.ts";
import type { Principal } from "../../../platform/http/access.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { isSameSecret } from "../../../platform/http/secret-comparison.ts";
import type { Secrets } from "../../../platform/secrets.ts";
import * as queries from "./queries.ts";

const renewLimit: Limit = { name: "calendar-link", points: 20, seconds: 3600 };

/** Returns the path of the caller's calendar, the same until it is renewed (LIVESESSION-5). Throws `live_session_locked`. */
export async function calendarPath(deps: Dependencies, viewer: Principal): Promise<string> {
  requireLiveSessions(viewer);
  return pathOf(deps.secrets, viewer.id, await queries.findVersion(deps.db, viewer.id));
}

/** Returns a new path of the caller's calendar and ends the old one. Throws `live_session_locked` and `too_many_requests`. */
export async function renewCalendarPath(deps: Dependencies, viewer: Principal): Promise<string> {
  requireLiveSessions(viewer);
  await deps.limits.consume(renewLimit, viewer.id);
  return pathOf(deps.secrets, viewer.id, await queries.incrementVersion(deps.db, viewer.id, deps.clock.now()));
}

/** Returns the account of a token. Throws `link_invalid` unless it is the newest of an account that has live sessions now. */
export async function accountOfToken({ db, secrets }: Dependencies, token: string): Promise<string> {
  const [accountId, proof, ...rest] = token.split(".");
  if (!id.safeParse(accountId).success || rest.length > 0) throw new ProductError("link_invalid");
  const owner = await queries.findOwner(db, accountId!);
  const isNewest = owner && isSameSecret(proof, signature(secrets, accountId!, owner.version));
  if (!isNewest || !hasLiveSessions(owner)) throw new ProductError("link_invalid");
  return accountId!;
}

function requireLiveSessions(viewer: Principal): void {
  if (!hasLiveSessions(viewer)) throw new ProductError("live_session_locked");
}

function pathOf(secrets: Secrets, accountId: string, version: number): string {
  return `/api/live-sessions.ics?token=${accountId}.${signature(secrets, accountId, version)}`;
}

function signature({ calendarKey }: Secrets, accountId: string, version: number): string {
  return createHmac("sha256", calendarKey).update(`${accountId}.${version}`).digest("base64url");
}
