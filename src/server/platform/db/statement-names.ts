import { createHash } from "node:crypto";
import pg from "pg";

/** Statements that have a name. PostgreSQL keeps each, with its plan, in the memory of every connection that used it. */
const maxNames = 250;

/** Uses before a statement gets a name, so that one that is used once takes no place. */
const unnamedUses = 2;

/** Of a list or a search: its plan depends on how many rows its filter leaves. */
const limitsRows = /\blimit\b/;

/** Statements whose uses are counted. */
const maxCounted = 2000;

/**
 * Names for the statements that are used again and again, by which PostgreSQL parses them once for each connection, and keeps their plan where one
 * is good for all values. A name is made of the text alone, so that it never means another statement: not to an older program, nor where a pooler
 * lends a connection of another process.
 */
export class StatementNames {
  readonly #names = new Map<string, string>();
  readonly #uses = new Map<string, number>();

  /**
   * Returns the name of a statement, the same for the same text; undefined while it is rare, and once there are too many. One that limits its
   * rows has none, so that it is planned at each use, unless the caller prepared it.
   */
  nameOf(text: string, isPrepared = false): string | undefined {
    const known = this.#names.get(text);
    if (known !== undefined || this.#names.size >= maxNames) return known;
    if (!isPrepared && limitsRows.test(text)) return undefined;
    const uses = this.#uses.get(text) ?? 0;
    if (uses < unnamedUses) {
      if (this.#uses.size >= maxCounted) this.#uses.clear();
      this.#uses.set(text, uses + 1);
      return undefined;
    }
    this.#uses.delete(text);
    const name = createHash("sha256").update(text).digest("base64url");
    this.#names.set(text, name);
    return name;
  }
}

/** Returns the class of a pool's connections. They prepare frequent statements, or none at all, whatever name the caller has for it. */
export function connectionClass({ prepares }: { prepares: boolean }): new () => pg.ClientBase {
  const names = new StatementNames();
  const named = (statement: unknown): unknown =>
    isNameable(statement)
      ? { ...statement, name: prepares ? names.nameOf(statement.text, statement.name !== undefined) : undefined }
      : statement;
  return class extends pg.Client {
    constructor(config?: pg.ClientConfig) {
      // Statements of `together` are sent without waiting for the replies to those before.
      super({ ...config, pipeline: true });
      const query = this.query.bind(this) as (...parameters: unknown[]) => unknown;
      this.query = ((statement: unknown, ...rest: unknown[]) => {
        // What is asked at one time leaves in one write: a write wakes PostgreSQL, and takes longer than most statements.
        const { stream } = this.connection;
        stream.cork();
        process.nextTick(() => stream.uncork());
        return query(named(statement), ...rest);
      }) as typeof this.query;
    }
  };
}

/** Returns whether a statement is a text and its options; a text alone and what writes to the connection by itself are not. */
function isNameable(statement: unknown): statement is { text: string; name?: string } {
  return typeof statement === "object" && statement !== null && "text" in statement && !("submit" in statement);
}
