import { DrizzleQueryError } from "drizzle-orm";
import pg from "pg";

/** An error in the log, without parameters, values or SQL, which may contain a password's hash or a token. */
export interface ErrorDescription {
  type: string;
  message: string;
  /** SQLSTATE, or the code of the operating system or of Node. */
  code?: string;
  /** The verb and table of a failed statement: `insert into "accounts"`. */
  statement?: string;
  /** The violated constraint and its table, from PostgreSQL. */
  constraint?: string;
  table?: string;
  /** The frames of the stack, without the message above them. */
  stack: string;
  cause?: ErrorDescription;
}

/** Returns the description of an error and up to five causes. A thrown value that is not an error is described by its type. */
export function describeError(error: unknown, depth = 5): ErrorDescription {
  if (!(error instanceof Error)) return { type: typeof error, message: "thrown, but not an error", stack: "" };
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: error.constructor.name,
    message: safeMessage(error),
    ...(typeof code === "string" ? { code } : {}),
    ...(error instanceof DrizzleQueryError ? { statement: labelOf(error.query) } : {}),
    ...(error instanceof pg.DatabaseError ? violated(error) : {}),
    stack: framesOf(error),
    ...(error.cause !== undefined && depth > 0 ? { cause: describeError(error.cause, depth - 1) } : {}),
  };
}

/** Returns one line for a terminal: `Failed query (insert into "accounts"): Connection terminated unexpectedly`. */
export function errorLine(error: unknown): string {
  const described: ErrorDescription[] = [];
  for (let next: ErrorDescription | undefined = describeError(error); next; next = next.cause) described.push(next);
  return described
    .map(({ message, statement, code }) => [message.replace(/\s+/g, " "), inBrackets(statement), inBrackets(code)].join(""))
    .join(": ");
}

const inBrackets = (text: string | undefined): string => (text === undefined ? "" : ` (${text})`);

function safeMessage(error: Error): string {
  if (error instanceof DrizzleQueryError) return "Failed query";
  // Messages such as "invalid input syntax for type uuid: …" quote the value.
  if (error instanceof pg.DatabaseError && error.code?.startsWith("22")) return "invalid value";
  const { code } = error as NodeJS.ErrnoException;
  // Drizzle's message may have become part of another. Refused connections to several addresses have none.
  return error.message.replace(/Failed query:[^]*/, "Failed query") || (code ?? "no message");
}

/** The verb of a statement and its first table. */
function labelOf(query: string): string {
  const verb = /^\s*([a-z]+)/i.exec(query)?.[1]?.toLowerCase() ?? "statement";
  const table = /\b(?:from|into|update)\s+("\w+"|\w+)/i.exec(query);
  return table ? `${verb} ${table[1]}` : verb;
}

function violated({ constraint, table }: pg.DatabaseError): { constraint?: string; table?: string } {
  return { ...(constraint === undefined ? {} : { constraint }), ...(table === undefined ? {} : { table }) };
}

/** Lines of the message may look like frames, so frames are read after the end of the message. */
function framesOf({ message, stack = "" }: Error): string {
  const start = stack.indexOf(message);
  if (start < 0) return "";
  return (
    stack
      .slice(start + message.length)
      .match(/^\s+at .*$/gm)
      ?.join("\n") ?? ""
  );
}
