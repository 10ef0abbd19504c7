import { createHmac, timingSafeEqual } from "node:crypto";
import type { Dependencies } from "../../../dependencies.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { deviceSeconds, newDeviceId } from "../../../platform/http/client/device-cookie.ts";

/** What a device token is bound to: the account, and its password, so that a change of it ends all tokens. */
export interface DeviceOwner {
  id: string;
  password_hash: string;
}

/**
 * Returns a token for the device that has just signed in to an account. It proves no identity and only grants a separate allowance of
 * tries. `knownId` is the id in the device's former token, which it keeps: links to films are bound to it (DEVICE-3).
 */
export function signDevice(
  deps: Pick<Dependencies, "secrets" | "clock">,
  owner: DeviceOwner,
  knownId: string | undefined,
): string {
  const id = knownId ?? newDeviceId();
  const until = secondsAfter(deps.clock.now(), deviceSeconds).getTime().toString(36);
  return [id, until, seal(deps, owner, id, until)].join(".");
}

/** Returns what names the token of a familiar device, or undefined when it is not of this account, or has ended. */
export function familiarDevice(
  deps: Pick<Dependencies, "secrets" | "clock">,
  owner: DeviceOwner,
  token: string | undefined,
): string | undefined {
  // Stryker disable next-line StringLiteral,ArrayDeclaration: any other text is refused as well.
  const [id = "", until = "", sealed = ""] = token?.split(".") ?? [];
  const expected = Buffer.from(seal(deps, owner, id, until));
  const given = Buffer.from(sealed);
  if (given.length !== expected.length || !timingSafeEqual(given, expected)) return undefined;
  return Number.parseInt(until, 36) > deps.clock.now().getTime() ? sealed : undefined;
}

function seal({ secrets }: Pick<Dependencies, "secrets">, owner: DeviceOwner, id: string, until: string): string {
  // Stryker disable next-line StringLiteral: any first text sets it apart from what else is signed.
  const sealed = JSON.stringify(["device", owner.id, owner.password_hash, id, until]);
  return createHmac("sha256", secrets.codePepper).update(sealed).digest("base64url");
}
