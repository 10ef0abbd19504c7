import type { Finding } from "./checks/finding.ts";

/** Returns the table of a run: faults by kind, then promises by kind. */
export function tableOf(counts: Map<string, number>, findings: Finding[]): string[] {
  const faults = [...counts].toSorted(([one], [other]) => one.localeCompare(other));
  const total = faults.reduce((sum, [, count]) => sum + count, 0);
  const lost = findings.reduce((sum, finding) => sum + finding.lost.length, 0);
  const promised = findings.reduce((sum, { count }) => sum + count, 0);
  return [
    "",
    "   times   fault",
    ...faults.map(([name, count]) => `${pad(count)}   ${name}`),
    `${pad(total)}   kills and faults`,
    "",
    "promises    lost   kind",
    ...findings.map((finding) => `${pad(finding.count)}${pad(finding.lost.length)}   ${finding.promise}`),
    `${pad(promised)}${pad(lost)}   promises`,
    ...findings.flatMap((finding) => finding.lost.slice(0, 10).map((what) => `✗ ${finding.promise}: ${what}`)),
  ];
}

/** Whether faults were put and nothing was lost. */
export function hasHeld(counts: Map<string, number>, findings: Finding[]): boolean {
  return counts.size > 0 && findings.every(({ lost }) => lost.length === 0);
}

const pad = (number: number): string => String(number).padStart(8);
