import type { Setup, SetupStep } from "#domain/api/overview";
import { changedDestinations, defaultWalletSettings } from "#domain/payment-methods/settings";
import type { Dependencies } from "../../dependencies.ts";
import { recordAudit, type Actor } from "../../platform/audit.ts";
import { transaction } from "../../platform/db/transaction.ts";
import type { Principal } from "../../platform/http/access.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import * as queries from "./queries.ts";
import { findAllSampleLessonIds } from "./sample-queries.ts";

/**
 * Returns what a new shop still needs, from its real state (STATS-8). Closes the card once all is done, so that it does not return when
 * something is undone later.
 */
export async function shopSetup(deps: Dependencies, admin: Principal): Promise<Setup> {
  const done = await doneSteps(deps, admin);
  const steps = Object.entries(done).map(([step, isDone]) => ({ step: step as SetupStep, done: isDone }));
  const closed = await queries.isSetupClosed(deps.db);
  if (closed || steps.some((step) => !step.done)) return { steps, closed };
  await queries.closeSetup(deps.db, deps.clock.now());
  return { steps, closed: true };
}

/** Dismisses the card for good. */
export function closeSetup({ db, clock }: Dependencies, actor: Actor): Promise<void> {
  return transaction(db, async (tx) => {
    const at = clock.now();
    if (!(await queries.closeSetup(tx, at))) return;
    await recordAudit(tx, actor, { at, action: "setup.close", subject: { type: "setup", id: "1" } });
  });
}

async function doneSteps({ db, clock, config }: Dependencies, admin: Principal): Promise<Record<SetupStep, boolean>> {
  const { saved, is_sample, unique_amounts } = await currentSettings(db, clock.now());
  const recipients = [admin.email, saved.alert_email].filter((address) => address !== "");
  return {
    destinations: !is_sample && changedDestinations(defaultWalletSettings, saved).length > 0,
    contact: config.site.contactEmail !== undefined || config.site.contactUrl !== undefined,
    mail: config.mail.smtpUrl !== undefined && (await queries.hasReceivedMail(db, recipients)),
    lesson: await queries.hasLessonBeside(db, await findAllSampleLessonIds(db)),
    second_factor: admin.hasSecondFactor,
    own_figures: unique_amounts || saved.bitcoin_xpub !== "",
  };
}
