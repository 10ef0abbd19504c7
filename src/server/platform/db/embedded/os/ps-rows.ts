/** A command line: the program alone, and with its arguments. */
export interface Command {
  /** May be empty for programs that are not PostgreSQL's. */
  program: string;
  line: string;
}

/** A path may contain spaces and " -"; only an argument begins with " /". */
const databaseProgram = /^(?:\/(?:(?! \/).)*\/)?(?:initdb|postgres|postmaster)(?= -|$)/;

/** Returns the commands in rows of `ps -o pid=,command=`, which does not separate a program from its arguments, by process id. */
export function commandsIn(rows: string): Map<number, Command> {
  const commands = new Map<number, Command>();
  for (const [, pid, line = ""] of rows.matchAll(/^ *(\d+) (.*)$/gm)) {
    commands.set(Number(pid), { program: databaseProgram.exec(line)?.[0] ?? "", line });
  }
  return commands;
}
