import { setTimeout as pause } from "node:timers/promises";
import type { ResendBody } from "#domain/api/auth";
import { normaliseEmail } from "#domain/accounts/accounts";
import { strangersPauseSeconds } from "#domain/accounts/verification";
import { ProductError } from "#domain/errors/messages";
import type { Dependencies } from "../../../dependencies.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { sendVerificationEmail } from "../../verification/service.ts";
import { limitKey, networkOf } from "../limits/keys.ts";
import { replyAfterMs } from "../passwords/recovery.ts";
import { findByEmail } from "../queries.ts";
import { findAllResendable, resendEmailChange } from "./email-change.ts";

const networkLimit: Limit = { name: "resend-network", points: 30, seconds: 3600 };
/** Codes for one address that are asked for from one network. */
const placeLimit: Limit = { name: "resend-here", points: 5, seconds: 3600, thenEverySeconds: 600 };

/** Errors that are not returned: they would reveal that a code was sent before. */
const silent = new Set(["code_resend_too_soon", "too_many_requests"]);

/**
 * Mails another code for an unfinished sign-up or for a change of address that waits, unless the present one holds for five minutes more
 * and has tries left, since a stranger may be asking (VERIFY-3). The reply, to a caller without
 * a session, does not reveal whether there is one (ACCOUNT-3), nor whether a pause or a mail limit applies. Throws `email_invalid` or
 * `too_many_requests`.
 */
export async function resendCode(deps: Dependencies, form: ResendBody, ip: string): Promise<void> {
  const email = normaliseEmail(form.email);
  const network = networkOf(ip);
  await deps.limits.consume(networkLimit, network);
  await deps.limits.consume(placeLimit, limitKey(email, network));
  await Promise.all([resendAll(deps, email, form.type), pause(replyAfterMs)]);
}

async function resendAll(deps: Dependencies, email: string, type: ResendBody["type"]): Promise<void> {
  if (type === "signup") {
    const { unfinished } = await findByEmail(deps.db, email);
    for (const { id } of unfinished) {
      await quietly(sendVerificationEmail(deps, { id, email, email_verified: false }, undefined, strangersPauseSeconds));
    }
    return;
  }
  for (const change of await findAllResendable(deps, deps.db, email)) await quietly(resendEmailChange(deps, change));
}

async function quietly(sending: Promise<unknown>): Promise<void> {
  try {
    await sending;
  } catch (error) {
    if (!(error instanceof ProductError && silent.has(error.code))) throw error;
  }
}
