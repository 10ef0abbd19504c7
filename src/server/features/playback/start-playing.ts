import { createHmac } from "node:crypto";
import { clockToleranceSeconds } from "#domain/clock-tolerance";
import { idleSeconds } from "#domain/playback/devices";
import type { Dependencies } from "../../dependencies.ts";
import { dayOf, secondsAfter } from "../../platform/clock.ts";
import { oldestStart } from "../../platform/db/session-lifetime.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import type { Limit } from "../../platform/http/rate-limit.ts";
import { networkOf } from "../auth/service.ts";
import * as queries from "./queries.ts";

/** More than a student clicks while looking for a lesson. */
const playLimit: Limit = { name: "plays", points: 60, seconds: 60 };

/** Where a play comes from. */
export interface PlayingClient {
  ip: string;
  /** The id in the browser's device cookie, if it sent one. */
  deviceId: string | undefined;
}

/**
 * Lets a student's session play, and displaces those with the oldest signs of playing when more than `MAX_DEVICES` play then
 * (DEVICE-1). Counts the play for the view of sharing (DEVICE-5). The admin is neither limited nor counted. Throws
 * `too_many_requests`.
 */
export async function startPlaying(deps: Dependencies, viewer: Principal, client: PlayingClient): Promise<void> {
  if (viewer.role === "admin") return;
  await deps.limits.consume(playLimit, viewer.id);
  const { id: account_id, sessionId: session_id } = viewer;
  const now = deps.clock.now();
  const max = deps.config.playback.maxDevices;
  await transaction(deps.db, async (tx) => {
    if (!(await queries.lockAccount(tx, account_id))) return;
    const others = await queries.findAllOthersPlaying(tx, playingSince(account_id, session_id, now));
    const displaced = max === 0 ? [] : others.slice(max - 1);
    for (const other of displaced) await queries.displace(tx, other, now);
    await queries.upsertPlaying(tx, { session_id, account_id, played_at: now, displaced_at: null });
    await queries.upsertDay(tx, {
      account_id,
      day: dayOf(now),
      // Stryker disable next-line StringLiteral: any word sets it apart from the other.
      network_hash: hashOf(deps, viewer, "network", networkOf(client.ip)),
      // Stryker disable next-line StringLiteral: as above.
      device_hash: hashOf(deps, viewer, "device", client.deviceId ?? session_id),
      displaced: displaced.length,
    });
  });
}

/** Returns which other sessions of an account count as playing. */
export function playingSince(accountId: string, sessionId: string, now: Date): queries.PlayingSince {
  const [playedAfter, playedBefore] = [secondsAfter(now, -idleSeconds), secondsAfter(now, clockToleranceSeconds)];
  return { accountId, sessionId, playedAfter, playedBefore, startedAfter: oldestStart(now) };
}

/** Keyed, since networks can be guessed, and for one account: nothing connects the students of one network. */
function hashOf({ secrets }: Dependencies, { id }: Principal, kind: "network" | "device", value: string): Buffer {
  // Stryker disable next-line StringLiteral: any first text sets it apart from what else is hashed.
  const text = JSON.stringify(["playing", kind, id, value]);
  return createHmac("sha256", secrets.codePepper).update(text).digest();
}
