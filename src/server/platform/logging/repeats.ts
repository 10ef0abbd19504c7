import { causesOf, isDatabaseUnavailable } from "../db/unavailable.ts";
import { describeError } from "./describe-error.ts";

/** Lines for each kind in a window. */
const linesPerWindow = 3;
const firstWindowMs = 10_000;
const maxWindowMs = 10 * 60_000;
/** Kinds that are tracked at a time; further ones count as one kind. */
const maxKinds = 200;

interface Kind {
  written: number;
  leftOut: number;
}

/** Decides which lines are written, so that an outage or an attack under load does not fill the disk with its log. */
export interface RepeatLimit {
  /** Returns whether to write a line of this kind. `report` is called later with the number of them that were not written. */
  admits(kind: string, report: (leftOut: number) => void): boolean;
}

/**
 * Writes three lines of a kind, then none until its window ends: ten seconds, doubled while they continue. The count ends with
 * a window in which none was suppressed.
 */
export function limitRepeats(): RepeatLimit {
  const kinds = new Map<string, Kind>();

  const closeLater = (name: string, windowMs: number, report: (leftOut: number) => void): void => {
    setTimeout(() => {
      const { leftOut } = kinds.get(name)!;
      if (leftOut === 0) return void kinds.delete(name);
      report(leftOut);
      kinds.set(name, { written: linesPerWindow, leftOut: 0 });
      closeLater(name, Math.min(windowMs * 2, maxWindowMs), report);
    }, windowMs).unref();
  };

  return {
    admits(own, report) {
      const name = kinds.has(own) || kinds.size < maxKinds ? own : "others";
      let kind = kinds.get(name);
      if (kind === undefined) {
        kind = { written: 0, leftOut: 0 };
        kinds.set(name, kind);
        closeLater(name, firstWindowMs, report);
      }
      if (kind.written < linesPerWindow) kind.written += 1;
      else kind.leftOut += 1;
      return kind.leftOut === 0;
    },
  };
}

/** Returns the kind of an error; all errors of a database outage are one kind. */
export function kindOfError(error: unknown): string {
  if (isDatabaseUnavailable(error)) return "database unavailable";
  const { type, message, statement } = describeError(error);
  const code = causesOf(error).find((cause) => cause.code !== undefined)?.code;
  return [type, code ?? message, statement].join("|");
}
