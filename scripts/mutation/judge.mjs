// @ts-check
import { relative } from "node:path";
import { projectDir } from "../install.mjs";

/** @typedef {{ fileName: string, location: { start: { line: number } }, mutatorName: string, replacement?: string, status: string }} Mutant */

/** A mutant without a verdict is a survivor too: one whose tests could not be run, or were not. @param {string} status */
const survives = (status) => !["Killed", "Timeout", "Ignored"].includes(status);

/**
 * Returns whether a part is good, its row of the table, and a line for each survivor and each mutant that took too long. A mutant that a comment in the code
 * excuses with a reason counts as a survivor, but a named one.
 * @param {import("./parts.mjs").Part} part @param {Mutant[]} mutants
 */
export function judge(part, mutants) {
  /** @param {string[]} statuses */
  const withStatus = (...statuses) => mutants.filter(({ status }) => statuses.includes(status));
  const killed = withStatus("Killed", "Timeout").length;
  const explained = withStatus("Ignored").length;
  const survivors = mutants.filter(({ status }) => survives(status));
  /** @param {Mutant} mutant */
  const placeOf = ({ fileName, location }) => `  ${relative(projectDir, fileName)}:${location.start.line}`;
  const notes = [
    ...withStatus("Timeout").map((one) => `${placeOf(one)} took too long, so it counts as killed: ${one.replacement}`),
    ...survivors.map((one) => `${placeOf(one)} ${one.mutatorName} (${one.status}): ${one.replacement}`),
  ];
  const score = (100 * killed) / (killed + explained + survivors.length);
  const figures = [killed, explained, survivors.length].map((count, index) => String(count).padStart([9, 11, 10][index] ?? 0));
  const isGood = score >= part.threshold && survivors.length === 0;
  return { isGood, line: `${score.toFixed(1).padStart(5)} % ${figures.join(" ")}   ${part.name}`, notes };
}

/**
 * Takes the survivors out of the results that are used again: Stryker does not see that a new test may reach a constant.
 * @template {{ files: Record<string, { mutants: { status: string }[] }> }} Report @param {Report} report
 */
export function forgetSurvivors(report) {
  for (const source of Object.values(report.files)) {
    source.mutants = source.mutants.filter(({ status }) => !survives(status));
  }
  return report;
}
