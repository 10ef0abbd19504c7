import { listChanges, undoSeconds, type FieldChanges } from "#domain/guard/changes";
import { takeEffect } from "#domain/guard/delay";
import type { Dependencies } from "../../../dependencies.ts";
import type { Actor } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { originWithoutRequest } from "../../../platform/http/origin.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { randomToken, tokenHash } from "../../auth/service.ts";
import { findSettings, type WalletSettingsRow } from "../queries.ts";
import { settingsOf } from "../views.ts";
import { mailAlert } from "./alert.ts";
import { changedMail } from "./mail.ts";
import * as queries from "./queries.ts";

/** So that nobody buries the mail about one change under mails about others (GUARD-1). */
// Stryker disable next-line StringLiteral: any name of its own counts the same.
export const changeLimit: Limit = { name: "wallet-settings", points: 30, seconds: 3600, thenEverySeconds: 300 };

/** Who makes a change, and on what device, by a readable name. */
export interface ChangedBy {
  actor: Actor;
  device: string;
}

interface Change extends ChangedBy {
  at: Date;
  fields: FieldChanges;
}

/** Stores a change and mails it with a link that undoes it within 72 hours (GUARD-1). `saved` is the row after the change. */
export async function recordChange(
  deps: Dependencies,
  tx: Transaction,
  change: Change,
  saved: WalletSettingsRow,
): Promise<void> {
  const { at, actor, device, fields } = change;
  const token = randomToken();
  const by = { actor_email: actor.email, ip: actor.ip, device, at };
  const undoUntil = secondsAfter(at, undoSeconds);
  await queries.insertChange(tx, { ...by, fields, undo_token_hash: tokenHash(token), undo_until: undoUntil });
  const about = {
    site: deps.config.site,
    // Never the origin of the request: whoever makes the change must not choose where the link leads.
    undoUrl: `${originWithoutRequest(deps.config.server)}/undo#${token}`,
    undoUntil,
    by,
    changes: listChanges(fields),
    takesEffect: takeEffect({ saved: settingsOf(saved), held: saved.held_destinations }, at),
  };
  await mailAlert(deps, tx, { at, fields, alertEmail: saved.alert_email }, (to) => changedMail(about, to));
}

/** Records the prices of a change that differ (GUARD-1), after they were stored. */
export async function recordPriceChanges(
  deps: Dependencies,
  tx: Transaction,
  by: ChangedBy & { at: Date },
  prices: FieldChanges,
): Promise<void> {
  const fields = Object.fromEntries(Object.entries(prices).filter(([, { before, after }]) => before !== after));
  if (Object.keys(fields).length > 0) await recordChange(deps, tx, { ...by, fields }, (await findSettings(tx))!);
}
