import { errorLine } from "../logging/describe-error.ts";
import { causesOf, isDatabaseUnavailable } from "./unavailable.ts";

/** Either may have been used: the error does not say which. */
const settings = "DATABASE_URL or DATABASE_DIRECT_URL";

const explanations: [state: RegExp, text: string][] = [
  [/^3D000$/, `${settings} names a database that does not exist. Create it, or correct the name`],
  [/^28...$/, `The database refuses the user or the password of ${settings}`],
  [/^42501$/, `The user of ${settings} lacks rights in the database. Make it the owner, or grant it CREATE on the schema`],
  [/^3F000$/, `The search path of the user of ${settings} names no schema that exists. Create one of it, or set another path`],
  [
    /^25006$/,
    "The database is read-only. Set DATABASE_URL, and DATABASE_DIRECT_URL if it is set, to the primary server, not to a standby",
  ],
];

/** Returns one line for the operator about an error of the database at start, or undefined for any other error. */
export function explainDatabaseError(error: unknown): string | undefined {
  for (const { code = "", message } of causesOf(error)) {
    const known = explanations.find(([state]) => state.test(code));
    if (known) return `${known[1]}: ${errorLine(error)}`;
    // An error of node-postgres about its settings has no code.
    if (/sslnegotiation/.test(message))
      return `PGSSLNEGOTIATION, or sslnegotiation in ${settings}, is not right: ${errorLine(error)}`;
  }
  return isDatabaseUnavailable(error) ? `Cannot reach the database (${settings}): ${errorLine(error)}` : undefined;
}
