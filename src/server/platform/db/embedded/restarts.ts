import { setTimeout as pause } from "node:timers/promises";
import type pg from "pg";
import { monotonicMs } from "../../clock.ts";
import { DatabaseStartError, DataFolderInUseError } from "./errors.ts";
import { hastenShutdown } from "./postmaster.ts";

const LOSSES_ALLOWED = 5;
const WINDOW_MS = 2 * 60 * 1000;
const FIRST_PAUSE_MS = 250;
const STATUS_INTERVAL_MS = 1000;

export interface GuardedServer {
  clusterDir: string;
  /** The connection that holds the data folder's lock. */
  owner: pg.Client;
  /** Connects to the server, starting it when it does not run, and takes the lock; throws when another process has it. */
  claim(stopped: AbortSignal): Promise<pg.Client>;
  say(line: string): void;
  /** Called once, when the server cannot be kept running. */
  onLost(error: Error): void;
}

/**
 * Keeps a server running and its data folder owned. A lost owner's connection is the sign that the server ended or restarted
 * itself. More than five losses and failed restarts within two minutes are final, as is another process that took the lock.
 */
export class Guard {
  #server: GuardedServer;
  #owner: pg.Client;
  #losses: number[] = [];
  #stopped = new AbortController();
  #recovery = Promise.resolve();
  #statusTimer: NodeJS.Timeout;

  constructor(server: GuardedServer) {
    this.#server = server;
    this.#owner = server.owner;
    this.#watch();
    this.#statusTimer = setInterval(() => void hastenShutdown(server.clusterDir), STATUS_INTERVAL_MS).unref();
  }

  /** Ends the guarding; the lock stays until `release`. */
  async stop(): Promise<void> {
    clearInterval(this.#statusTimer);
    this.#stopped.abort();
    await this.#recovery;
  }

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
