import { appendFileSync } from "node:fs";

/** One row of the table that `npm run faults` prints. */
export interface Row {
  fault: string;
  recoverySeconds?: number;
  logLines?: number;
  complaints: string[];
  note?: string | undefined;
}

const file = process.env["FAULTS_REPORT"];

/** Adds a row to the table of a long run; elsewhere does nothing. */
export function report(row: Row): void {
  if (file !== undefined) appendFileSync(file, `${JSON.stringify({ ...row, complaints: row.complaints.slice(0, 5) })}\n`);
}
