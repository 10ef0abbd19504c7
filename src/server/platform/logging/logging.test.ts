import { sql } from "drizzle-orm";
import fastify, { type FastifyInstance } from "fastify";
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it, vi } from "vitest";
import { scratchDatabase, type ScratchDatabase } from "../../../../tests/support/database/scratch-database.ts";
import { openDatabase, type Database } from "../db/database.ts";
import { accounts } from "../db/schema.ts";
import { describeError, errorLine } from "./describe-error.ts";
import { errorWriter, loggerOptions } from "./logger.ts";

const secret = "$argon2id$v=19$m=19456$the-secret-hash";
let scratch: ScratchDatabase;
let db: Database;
beforeAll(async () => {
  scratch = await scratchDatabase("migrated");
  db = openDatabase(scratch.connection, () => {});
});
afterAll(async () => {
  await db.$client.end();
  await scratch.drop();
});
afterEach(() => vi.useRealTimers());

const thrownBy = (action: PromiseLike<unknown>): Promise<unknown> =>
  Promise.resolve(action).then(
    () => expect.unreachable("nothing was thrown"),
    (error: unknown) => error,
  );

const failingInsert = () =>
  thrownBy(
    db.insert(accounts).values({
      email: "ann@example.com",
      password_hash: secret,
      role: "no such role" as never,
      created_at: new Date(),
    }),
  );
/** One whose PostgreSQL message quotes the value. */
const malformedUuid = () => thrownBy(db.execute(sql`select ${secret}::text::uuid`));

describe("the log of a server", () => {
  let app: FastifyInstance;
  let lines: string[];
  beforeEach(() => {
    lines = [];
    app = fastify({ logger: { ...loggerOptions("warn", new Set()), stream: { write: (line) => void lines.push(line) } } });
  });
  afterEach(() => app.close());

  const writes: [string, (error: Error) => void][] = [
    ["an error alone", (error) => app.log.error(error)],
    ["an error with a text", (error) => app.log.error(error, "The storage sweep failed")],
    ["an error among fields", (error) => app.log.error({ err: error, n: 1 })],
    ["its message repeated, as Fastify does", (error) => app.log.error({ err: error }, error.message)],
    ["an error that wraps its message", (error) => app.log.error(new Error(`Broken: ${error.message}`, { cause: error }))],
  ];

  it.each(writes)("holds no parameter of a failed statement, given %s", async (_, write) => {
    for (const fail of [failingInsert, malformedUuid]) {
      const error = (await fail()) as Error;
      expect(error.message).toContain(secret);
      write(error);
    }
    expect(lines).toHaveLength(2);
    expect(lines.join("")).not.toMatch(/argon2|secret|ann@example/);
  });

  it("holds the SQLSTATE, a label of the statement, the constraint and the causes", async () => {
    app.log.error(await failingInsert());
    expect(JSON.parse(lines[0]!)).toMatchObject({
      msg: expect.stringContaining('Failed query (insert "accounts")'),
      err: {
        message: "Failed query",
        statement: 'insert "accounts"',
        stack: expect.stringContaining("at "),
        cause: { code: "23514", table: "accounts", constraint: expect.any(String) },
      },
    });
  });

  it("holds an error handler's failure without its parameters", async () => {
    const error = await failingInsert();
    app.get("/", () => Promise.reject(error as Error));
    expect((await app.inject("/")).statusCode).toBe(500);
    expect(lines.length).toBeGreaterThan(0);
    expect(lines.join("")).not.toContain(secret);
  });

  it("stays under 50 lines in an outage of ten minutes under load", () => {
    vi.useFakeTimers();
    const faces = ["57P01", "ECONNREFUSED", "57P03", "ECONNRESET"].map((code) => Object.assign(new Error(code), { code }));
    for (let second = 0; second < 600; second += 1) {
      for (let request = 0; request < 20; request += 1) app.log.error(faces[request % faces.length]);
      vi.advanceTimersByTime(1000);
    }
    expect(lines.length).toBeGreaterThan(3);
    expect(lines.length).toBeLessThan(20);
    vi.advanceTimersByTime(20 * 60_000);
    const leftOut = lines.map((line) => (JSON.parse(line) as { leftOut?: number }).leftOut ?? 0);
    expect(leftOut.reduce((sum, count) => sum + count, 0)).toBe(600 * 20 - 3);
  });

  it("logs an error of another kind during an outage, and a new outage after it", () => {
    vi.useFakeTimers();
    const outage = Object.assign(new Error("gone"), { code: "57P01" });
    for (let count = 0; count < 100; count += 1) app.log.error(outage);
    app.log.error(new TypeError("another"));
    expect(lines.at(-1)).toContain("another");
    vi.advanceTimersByTime(60_000);
    const before = lines.length;
    app.log.error(outage);
    expect(lines).toHaveLength(before + 1);
  });
});

describe("a line for the terminal", () => {
  it("names what failed and why without its parameters", async () => {
    const written: string[] = [];
    errorWriter((line) => written.push(line))("The mailer waits", await failingInsert());
    expect(written).toEqual([expect.stringMatching(/^The mailer waits: Failed query \(insert "accounts"\): .*\(23514\)$/)]);
  });

  it("uses the code of an error without a message", () => {
    expect(errorLine(Object.assign(new AggregateError([]), { code: "ECONNREFUSED" }))).toBe("ECONNREFUSED (ECONNREFUSED)");
  });

  it("ends for causes that go round, and describes what is no error", () => {
    const error = new Error("round");
    error.cause = error;
    expect(errorLine(error)).toMatch(/^round(: round){5}$/);
    expect(describeError("a secret text")).toEqual({ type: "string", message: "thrown, but not an error", stack: "" });
  });
});
