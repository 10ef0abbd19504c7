// @ts-check
import { parseArgs } from "node:util";

/**
 * Returns what a run was asked for, `names` being the rows; throws one line for whoever asked where that cannot be.
 * @param {string[]} args @param {string[]} rows
 */
export function readArguments(args, rows) {
  const { values, positionals: names } = parseArgs({
    args,
    allowPositionals: true,
    options: {
      quick: { type: "boolean", default: false },
      save: { type: "boolean", default: false },
      profile: { type: "boolean", default: false },
      rounds: { type: "string" },
    },
  });
  const unknown = names.filter((name) => !rows.includes(name));
  if (unknown.length > 0) throw new Error(`There is no row ${unknown.join(", ")}. The rows are ${rows.join(", ")}.`);
  const rounds = Number(values.rounds ?? (values.quick ? 1 : 3));
  if (!Number.isSafeInteger(rounds) || rounds < 1) throw new Error("--rounds must be a whole number from 1.");
  // A part would replace the whole table, and what is measured beside a profiler is slower.
  if (values.save && (names.length > 0 || values.quick || values.profile))
    throw new Error("--save needs all rows, and no --quick or --profile.");
  return { ...values, rounds, names };
}
