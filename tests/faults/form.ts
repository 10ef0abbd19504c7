/** The long form (`npm run faults`) takes every fault, and each for longer; the short one runs in `npm test`. */
export const isLong = process.env["FAULTS"] === "long";

/** One of two values, by the form that runs. */
export const byForm = <Value>(short: Value, long: Value): Value => (isLong ? long : short);

/** How long the site may take to come back before a test fails; the long form judges the measured time against 5 s. */
export const recoveryDeadlineMs = byForm(60_000, 20_000);
