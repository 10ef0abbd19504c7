import { explainStartFault } from "../start-faults.ts";

/** Prints a line for the operator. */
export const say = (line: string): void => console.log(line);

/** Runs a command with the first argument of the command line. When it fails, prints why and has the process exit with code 1. */
export function runCommand(action: (argument?: string) => Promise<void>): void {
  action(process.argv[2]).catch((error: unknown) => {
    for (const line of explainStartFault(error)) console.error(line);
    process.exitCode = 1;
  });
}
