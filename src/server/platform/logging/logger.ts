import type { FastifyServerOptions } from "fastify";
import { describeError, errorLine } from "./describe-error.ts";
import { kindOfError, limitRepeats } from "./repeats.ts";
import { kindOfEvent } from "./security-events.ts";

type LoggerOptions = Exclude<FastifyServerOptions["logger"], boolean | undefined>;

/** The most bytes that wait for a reader of the log that has stalled; later lines are lost. */
const maxWaitingBytes = 1024 ** 2;

/** Writes to standard output. With pino's own stream, a process whose log is on a full disk stops and cannot exit. */
function writeToOutput(line: string): void {
  if (process.stdout.writableLength < maxWaitingBytes) process.stdout.write(line);
}

/**
 * Returns the server's logger. It writes errors without values and counts repeated ones instead of writing them (RUN-5). `words` are
 * the fixed parts of the routes' paths; other parts of a request's path are left out.
 */
export function loggerOptions(
  level: string,
  words: ReadonlySet<string>,
  stream: { write(line: string): void } = { write: writeToOutput },
): LoggerOptions {
  const repeats = limitRepeats();
  const repeatedEvents = limitRepeats();
  return {
    level,
    stream,
    // The parser of forms logs all headers of a request, at the level trace.
    redact: ["req.headers.authorization", "busboyOptions.headers"],
    serializers: { req: loggedRequest(words), err: (error) => ({ ...describeError(error) }) },
    hooks: {
      logMethod(inputs, method) {
        const [first, text] = inputs as [unknown, string | undefined];
        const error = errorIn(first);
        const event = kindOfEvent(first);
        if (event !== undefined) {
          const report = (leftOut: number): void =>
            method.call(this, { ...(first as object), leftOut }, `${leftOut} more like it: ${text}`);
          if (repeatedEvents.admits(event, report)) method.apply(this, inputs);
          return;
        }
        if (error === undefined) return method.apply(this, inputs);
        // pino and Fastify use the error's message for the line, and Drizzle's contains the parameters.
        const message = text === undefined || text === error.message ? errorLine(error) : text;
        const report = (leftOut: number): void => method.call(this, { leftOut }, `${leftOut} more like it: ${message}`);
        if (repeats.admits(kindOfError(error), report))
          method.call(this, first === error ? { err: error } : (first as object), message);
      },
    },
  };
}

/** Returns a function that writes an error, after what failed, as one line to `write`; repeated errors are counted instead. */
export function errorWriter(write: (line: string) => void): (what: string, error: unknown) => void {
  const repeats = limitRepeats();
  return (what, error) => {
    const line = `${what}: ${errorLine(error)}`;
    if (repeats.admits(kindOfError(error), (leftOut) => write(`${leftOut} more like it: ${line}`))) write(line);
  };
}

function errorIn(logged: unknown): Error | undefined {
  if (logged instanceof Error) return logged;
  const { err } = (logged ?? {}) as { err?: unknown };
  return err instanceof Error ? err : undefined;
}

/** A query or a part of a path may be a token, a code or a name, so only what the server itself named is logged. */
function loggedRequest(words: ReadonlySet<string>) {
  return ({ method, url, ip }: { method: string; url: string; ip?: string }): Record<string, unknown> => {
    const [path = "", query] = url.split("?", 2);
    const parts = path.split("/").map((part) => (part === "" || words.has(part) ? part : "…"));
    return { method, url: parts.join("/") + (query === undefined ? "" : "?…"), ip };
  };
}

/** Returns the fixed parts of a route's path: `api`, `videos` and `play` of `/api/videos/{id}/play`. */
export function fixedParts(path: string): string[] {
  return path.split("/").filter((part) => /^[\w.-]+$/.test(part));
}
