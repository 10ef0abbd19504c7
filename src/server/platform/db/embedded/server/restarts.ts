import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { monotonicMs } from "../../../clock.ts";
import { DatabaseStartError, DataFolderInUseError } from "../errors.ts";
import { hastenSmartShutdown } from "./postmaster.ts";

const LOSSES_ALLOWED = 5;
const WINDOW_MS = 2 * 60 * 1000;
const FIRST_PAUSE_MS = 250;
const STATUS_INTERVAL_MS = 1000;

/** The server that a `RestartMonitor` keeps running. */
export interface MonitoredServer {
  clusterDir: string;
  /** The connection that holds the data folder's lock. */
  owner: pg.Client;
  /** Starts or adopts the server and takes the lock; throws `DataFolderInUseError` when another process holds it. */
  claim(stopped: AbortSignal): Promise<pg.Client>;
  say(line: string): void;
  /** Called once, when the server cannot be kept running. */
  onLost(error: Error): void;
}

/**
 * Starts the server again when it ends, and takes the data folder's lock back. The loss of the owner's connection means that the
 * server ended or restarted itself. Gives up after more than five losses or failed restarts within two minutes, or when another
 * process holds the lock.
 */
export class RestartMonitor {
  #server: MonitoredServer;
  #owner: pg.Client;
  #losses: number[] = [];
  #stopped = new AbortController();
  #recovery = Promise.resolve();
  #statusTimer: NodeJS.Timeout;

  constructor(server: MonitoredServer) {
    this.#server = server;
    this.#owner = server.owner;
    this.#watch();
    this.#statusTimer = setInterval(() => void hastenSmartShutdown(server.clusterDir), STATUS_INTERVAL_MS).unref();
  }

  /** Stops monitoring. The lock is held until `release`. */
  async stop(): Promise<void> {
    clearInterval(this.#statusTimer);
    this.#stopped.abort();
    await this.#recovery;
  }

  /** Closes the connection that holds the lock. */
  async release(): Promise<void> {
    await this.#owner.end().catch(() => undefined);
  }

  #watch(): void {
    this.#owner.once("end", () => {
      if (!this.#stopped.signal.aborted) this.#recovery = this.#recover();
    });
  }

  async #recover(): Promise<void> {
    const { claim, say, onLost } = this.#server;
    say("PostgreSQL is gone: starting it again ...");
    let reason = "it ended again and again";
    while (this.#mayTryAgain()) {
      try {
        await pause(FIRST_PAUSE_MS * 2 ** (this.#losses.length - 1), undefined, { signal: this.#stopped.signal });
        this.#owner = await claim(this.#stopped.signal);
        this.#watch();
        say("PostgreSQL runs again");
        return;
      } catch (error) {
        if (this.#stopped.signal.aborted) return;
        if (error instanceof DataFolderInUseError) return onLost(error);
        reason = (error as Error).message;
      }
    }
    onLost(new DatabaseStartError(`PostgreSQL cannot be kept running: ${reason}`));
  }

  #mayTryAgain(): boolean {
    const now = monotonicMs();
    this.#losses = [...this.#losses.filter((loss) => now - loss < WINDOW_MS), now];
    return this.#losses.length <= LOSSES_ALLOWED;
  }
}
