import { slipReferenceForm } from "#domain/evidence/slip";
import { BackgroundJob, retryWaitSeconds, type JobParts } from "../../../platform/background-job.ts";
import { secondsAfter, type Clock } from "../../../platform/clock.ts";
import type { Database } from "../../../platform/db/database.ts";
import type { SlipFinding, SlipReader } from "../../../platform/pictures/slip-reader.ts";
import type { ObjectStore } from "../../../platform/storage/object-store.ts";
import { isOutage } from "../../../platform/storage/outage.ts";
import { findObject } from "../../../platform/storage/queries.ts";
import { claimSlip, updateSlip, type CodeRow, type SlipRow } from "./queries.ts";

/** Seconds that a process has a slip: longer than its reading can take. */
const leaseSeconds = 180;

/** A slip that failed this often is left as unreadable. A full disk and a store that is away are waited out for as long as it takes. */
const maxFailures = 8;

/** Looks for slips whose wait is over, or whose process was killed. */
const pollMs = 15_000;

export interface SlipJobParts extends JobParts {
  db: Database;
  clock: Clock;
  objects: ObjectStore;
  slips: SlipReader;
}

/** Reads the codes of transfer slips one after another, after their requests were submitted (SLIP-2): of all processes, one has a slip at a time. */
export function slipJob(parts: SlipJobParts): BackgroundJob {
  const { changes, onError } = parts;
  const tasks = [{ failure: "Transfer slips wait", run: (stop: AbortSignal) => readAll(parts, stop) }];
  return new BackgroundJob({ changes, onError, topic: "slip", pollMs, tasks });
}

async function readAll(parts: SlipJobParts, stop: AbortSignal): Promise<void> {
  const { db, clock } = parts;
  while (!stop.aborted) {
    const now = clock.steady();
    const slip = await claimSlip(db, { now, leaseEnd: secondsAfter(now, leaseSeconds) });
    if (slip === undefined) return;
    await readClaimed(parts, slip).catch((error: unknown) => postpone(parts, slip, error, stop));
  }
}

async function readClaimed({ db, clock, objects, slips }: SlipJobParts, slip: SlipRow): Promise<void> {
  const object = await findObject(db, slip.object_id);
  // A slip is deleted with its object.
  // Stryker disable next-line ConditionFalse: only an error more is logged where it is deleted between two statements.
  if (object === undefined) return;
  const finding = await objects.withFile(object.id, (path) => slips.scan({ path, contentType: object.content_type }));
  const [first, ...further] = codesOf(finding);
  const outcome = finding.kind === "unreadable" ? "unreadable" : first ? "read" : "no_code";
  await updateSlip(db, slip, { outcome, ...first, read_at: clock.now(), next_attempt_at: null }, further);
}

/** Returns the codes of a picture, each transfer's once however its reference is written. */
function codesOf(finding: SlipFinding): CodeRow[] {
  if (finding.kind === "unreadable") return [];
  const codes = finding.codes.map((code) => ({ ...code, reference_form: slipReferenceForm(code.reference) }));
  return [...new Map(codes.map((code) => [`${code.sending_bank} ${code.reference_form}`, code])).values()];
}

async function postpone(parts: SlipJobParts, slip: SlipRow, error: unknown, stop: AbortSignal): Promise<void> {
  const { db, clock, objects, onError } = parts;
  const now = clock.steady();
  if (stop.aborted) return updateSlip(db, slip, { next_attempt_at: now });
  onError(`Slip ${slip.object_id} could not be read`, error);
  const failures = (await isOutage(error, objects)) ? slip.failures : slip.failures + 1;
  if (failures >= maxFailures) {
    return updateSlip(db, slip, { failures, outcome: "unreadable", read_at: clock.now(), next_attempt_at: null });
  }
  return updateSlip(db, slip, { failures, next_attempt_at: secondsAfter(now, retryWaitSeconds(slip.attempts)) });
}
