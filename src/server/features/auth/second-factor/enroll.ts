import { randomUUID } from "node:crypto";
import { renderSVG } from "uqr";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { requireProven, requireVerified, type Principal } from "../../../platform/http/access.ts";
import { seal } from "../../../platform/sealing.ts";
import { lockCaller } from "../sessions/lock-caller.ts";
import * as queries from "./queries.ts";
import { newRecoveryCodes, recoveryCodeHash } from "./recovery-codes.ts";
import { keyUri, newSecret, secretText } from "./totp.ts";

/** A new factor with its secret and recovery codes, which are displayed once. */
export interface Enrolment {
  id: string;
  friendlyName: string;
  secret: string;
  uri: string;
  /** An SVG document. */
  qrCode: string;
  recoveryCodes: string[];
}

/**
 * Adds an unverified factor in place of an earlier unverified one, and returns its secret and recovery codes (FACTOR-1, FACTOR-4).
 * `issuer` is the name under which the app lists it, by default the site's. Throws `email_not_verified`, `step_up_needed`,
 * `second_factor_exists` or `not_signed_in`.
 */
export async function enrollFactor(
  deps: Dependencies,
  principal: Principal,
  form: { friendlyName?: string | null | undefined; issuer?: string | null | undefined },
): Promise<Enrolment> {
  const now = deps.clock.now();
  requireVerified(principal);
  requireProven(principal, now);
  const id = randomUUID();
  const friendlyName = form.friendlyName ?? "";
  const secret = newSecret();
  const recoveryCodes = newRecoveryCodes();
  await transaction(deps.db, async (tx) => {
    await lockCaller(deps, tx, principal);
    if (await queries.findVerifiedFactor(tx, principal.id)) throw new ProductError("second_factor_exists");
    await queries.deleteUnverifiedFactor(tx, principal.id);
    const row = {
      id,
      account_id: principal.id,
      friendly_name: friendlyName,
      sealed_secret: seal(deps.secrets.factorKey, principal.id, secret),
      created_at: now,
    };
    await queries.insertFactor(
      tx,
      row,
      recoveryCodes.map((code) => recoveryCodeHash(deps.secrets, id, code)),
    );
  });
  const uri = keyUri(secret, { issuer: form.issuer || deps.config.site.name, account: principal.email });
  return { id, friendlyName, secret: secretText(secret), uri, qrCode: renderSVG(uri), recoveryCodes };
}
