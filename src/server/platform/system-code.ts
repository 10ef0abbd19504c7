import { constants } from "node:os";

/** Codes that Node.js replaces by "Unknown system error" and the number. */
const unnamed = new Map([
  [-constants.errno.ESTALE, "ESTALE"],
  [-constants.errno.EDQUOT, "EDQUOT"],
]);

/** Returns the code of an error of the operating system; undefined of an error without one. */
export function systemCode({ code, errno }: NodeJS.ErrnoException): string | undefined {
  return (errno === undefined ? undefined : unnamed.get(errno)) ?? code;
}
