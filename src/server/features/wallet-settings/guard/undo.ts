import type { UndoPreview, UndoResult } from "#domain/api/payments/guard";
import { ProductError } from "#domain/errors/messages";
import { changedNames, listChanges, undoSeconds, undoSteps, type FieldChanges } from "#domain/guard/changes";
import { restoreHeld, takeEffect } from "#domain/guard/delay";
import { withoutSample } from "#domain/payment-methods/sample";
import { isSameValue, settingsField } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../../dependencies.ts";
import { recordAudit } from "../../../platform/audit.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import type { Connection } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import type { Limit } from "../../../platform/http/rate-limit.ts";
import { endAdminSessions, networkOf, tokenHash } from "../../auth/service.ts";
import { advanceQuoteGeneration, findSettings, lockSettings, upsertSettings, type WalletSettingsRow } from "../queries.ts";
import { recordRestoredPrices } from "../prices/store.ts";
import { settingsOf } from "../views.ts";
import { mailAlert } from "./alert.ts";
import { undoneMail } from "./mail.ts";
import * as queries from "./queries.ts";

// Stryker disable next-line StringLiteral: any name of its own counts the same.
const undoLimit: Limit = { name: "undo-network", points: 30, seconds: 3600, thenEverySeconds: 120 };

/** Returns what a mailed link would undo, and changes nothing. Throws as `undoChange` does. */
export async function previewUndo(deps: Dependencies, token: string, ip: string): Promise<UndoPreview> {
  await deps.limits.consume(undoLimit, networkOf(ip));
  const row = await findSettings(deps.db);
  const { change, steps } = await openLink(deps, deps.db, token, row!);
  return {
    changed_at: change.at.toISOString(),
    undo_until: change.undo_until.toISOString(),
    restores: listChanges(steps),
    stays: changedNames(change.fields)
      .filter((name) => !(name in steps))
      .map((name) => settingsField(name).label),
  };
}

/**
 * Undoes a change by its mailed link, once (GUARD-2): puts the settled values of its fields back, ends open quotes and the admin's
 * sessions, and mails what was done. Needs no session, because whoever changed the settings may have taken the admin's account. Throws
 * `undo_link_invalid`, `undo_link_expired`, `undo_link_used`, `undo_nothing_left` where every field has changed in another way since, or
 * `too_many_requests`.
 */
export async function undoChange(deps: Dependencies, token: string, ip: string): Promise<UndoResult> {
  await deps.limits.consume(undoLimit, networkOf(ip));
  return transaction(deps.db, async (tx) => {
    // Also makes two uses of a link, and an undo and a save, wait for each other.
    const row = await lockSettings(tx);
    const { change, steps, history } = await openLink(deps, tx, token, row!);
    const at = deps.clock.now();
    const restored = valuesOf(steps, "after");
    const current = settingsOf(row!);
    const { destinationDelaySeconds } = deps.config.payments;
    const earlier = await queries.findAllSince(tx, secondsAfter(change.at, -Math.max(undoSeconds, destinationDelaySeconds)));
    const stored = { saved: current, held: row!.held_destinations };
    const held_destinations = restoreHeld(stored, { ...current, ...restored }, earlier, at, destinationDelaySeconds);
    const saved = await upsertSettings(tx, { ...restored, held_destinations, updated_at: at });
    await recordRestoredPrices(tx, current, settingsOf(saved), at);
    await advanceQuoteGeneration(tx);
    // A change whose value was restored, as that of the set-up, is in force and keeps its link.
    const undone = history.filter(({ fields }) =>
      changedNames(fields).every((name) => name in steps && !isSameValue(name, fields[name]!.after, steps[name]!.after)),
    );
    await queries.markUndone(tx, [change.id, ...undone.map(({ id }) => id)], at);
    await endAdminSessions(tx, at);
    await recordAudit(
      tx,
      { id: null, email: "undo link", ip },
      {
        at,
        action: "wallet-settings.undo",
        subject: { type: "wallet-settings", id: "1" },
        details: { change: change.id, changed_at: change.at, before: valuesOf(steps, "before"), after: restored },
      },
    );
    const takesEffect = takeEffect({ saved: settingsOf(saved), held: held_destinations }, at);
    const about = { site: deps.config.site, restored: listChanges(steps), takesEffect, ip, at };
    // An alert email that replaced another is not told, since a thief may have set it; where there was none before, it may be the owner's.
    const fields = steps.alert_email?.after === "" ? steps : {};
    await mailAlert(deps, tx, { at, fields, alertEmail: saved.alert_email }, (to) => undoneMail(about, to));
    return { restored: listChanges(steps) };
  });
}

function valuesOf(steps: FieldChanges, when: "before" | "after") {
  return Object.fromEntries(changedNames(steps).map((name) => [name, steps[name]![when]]));
}

interface OpenedLink {
  change: queries.GuardedChangeRow;
  steps: FieldChanges;
  history: Awaited<ReturnType<typeof queries.findAllSince>>;
}

async function openLink(
  deps: Dependencies,
  connection: Connection,
  token: string,
  settings: WalletSettingsRow,
): Promise<OpenedLink> {
  const change = await queries.findByToken(connection, tokenHash(token));
  if (!change) throw new ProductError("undo_link_invalid");
  if (change.undone_at !== null) throw new ProductError("undo_link_used");
  if (change.undo_until <= deps.clock.now()) throw new ProductError("undo_link_expired");
  const history = await queries.findAllSince(connection, secondsAfter(change.at, -undoSeconds));
  const current = settingsOf(settings);
  const steps = undoSteps(change, history, current, withoutSample(current));
  if (changedNames(steps).length === 0) throw new ProductError("undo_nothing_left");
  return { change, steps, history };
}
