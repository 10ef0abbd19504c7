import type pg from "pg";
import type { Database } from "../../db/database.ts";
import { lockSpaces } from "../../db/locks.ts";

const channel = "upload_wanted";

/** A lock that is held, for as long as the database session it was taken in lives. */
export type Lease = pg.Client;

/** The reply to one try for a lock. */
export interface Try {
  /** Undefined when another process has it. */
  lease: Lease | undefined;
  /** The database's time, in seconds: it orders the requests of all processes. */
  at: number;
}

interface Events {
  /** Another process wants a lock, and has since `at`. */
  onWanted: (id: string, at: number) => void;
  /** The session ended, and with it every lease. */
  onLost: () => void;
}

/**
 * Locks on uploads between the processes of one database: advisory locks, which PostgreSQL frees by itself when a process dies.
 * They live in one session, opened with the first upload and kept until `close`.
 */
export class SharedLocks {
  readonly #pool: Database["$client"];
  readonly #events: Events;
  #session: Promise<pg.Client> | undefined;
  #client: pg.Client | undefined;
  #queue: Promise<unknown> = Promise.resolve();

  constructor(pool: Database["$client"], events: Events) {
    this.#pool = pool;
    this.#events = events;
  }

  async tryLock(id: string): Promise<Try> {
    const client = await this.#open();
    const statement =
      "select pg_try_advisory_lock($1, hashtext($2)) as taken, extract(epoch from clock_timestamp())::float8 as at";
    const { rows } = await this.#inTurn(() => client.query(statement, [lockSpaces.upload, id]));
    const [{ taken, at }] = rows as [{ taken: boolean; at: number }];
    return { lease: taken ? client : undefined, at };
  }

  /** Asks the process that has a lock to let go of it, unless its request is newer than `at`. */
  async ask(id: string, at: number): Promise<void> {
    const client = await this.#open();
    await this.#inTurn(() => client.query("select pg_notify($1, $2)", [channel, `${id} ${at}`]));
  }

  isHeld(lease: Lease): boolean {
    return this.#client === lease;
  }

  /** Never rejects: a session that is gone has let go by itself. */
  async unlock(id: string, lease: Lease): Promise<void> {
    if (!this.isHeld(lease)) return;
    const statement = "select pg_advisory_unlock($1, hashtext($2))";
    await this.#inTurn(() => lease.query(statement, [lockSpaces.upload, id])).catch(() => {
      this.#drop(lease);
    });
  }

  async close(): Promise<void> {
    const client = await this.#session?.catch(() => undefined);
    if (client) this.#drop(client);
  }

  /** One statement at a time: a connection has no second. */
  #inTurn<Result>(run: () => Promise<Result>): Promise<Result> {
    const result = this.#queue.then(run);
    this.#queue = result.catch(() => {});
    return result;
  }

  #open(): Promise<pg.Client> {
    this.#session ??= this.#connect().catch((error: unknown) => {
      this.#session = undefined;
      throw error;
    });
    return this.#session;
  }

  async #connect(): Promise<pg.Client> {
    const client = await this.#pool.openSession();
    client.on("error", () => this.#drop(client));
    client.on("end", () => this.#drop(client));
    client.on("notification", ({ processId, payload = "" }) => {
      const [id = "", at] = payload.split(" ");
      if (processId !== ownProcessId(client)) this.#events.onWanted(id, Number(at));
    });
    try {
      await client.query(`listen ${channel}`);
    } catch (error) {
      void client.end().catch(() => {});
      throw error;
    }
    this.#client = client;
    return client;
  }

  /** Ends a session: its locks go with it. */
  #drop(client: pg.Client): void {
    if (this.#client !== client) return;
    this.#client = undefined;
    this.#session = undefined;
    void client.end().catch(() => {});
    this.#events.onLost();
  }
}

/** The process id of the session's backend, which notifications carry; the types of `pg` leave it out. */
function ownProcessId(client: pg.Client): number | null {
  return (client as pg.Client & { processID: number | null }).processID;
}
