import { fork, type ChildProcess, type Serializable } from "node:child_process";
import { JobError, type JobFailure } from "./job-error.ts";
import { memoryExitCode, type WorkerMessage } from "./worker-protocol.ts";

export interface ProcessSettings {
  /** The script of the process: it sends a `WorkerMessage` when it is ready and after every job. */
  script: string;
  /** Milliseconds for a job, including the start of the process, before the process is killed. */
  maxJobMs: number;
  /** Milliseconds that a process without a job is kept. */
  maxIdleMs: number;
}

/** Signals of the operator, the system or our own shutdown; any other signal is a crash. */
const outsideSignals = new Set<NodeJS.Signals | null>(["SIGKILL", "SIGTERM", "SIGINT", "SIGHUP"]);

interface RunningJob<Reply> {
  timer: NodeJS.Timeout;
  resolve(reply: Reply): void;
  reject(error: JobError): void;
}

/** A child process and its current job. */
export class WorkerProcess<Reply> {
  readonly #settings: ProcessSettings;
  readonly #child: ChildProcess;
  readonly #ended: Promise<void>;
  #job: RunningJob<Reply> | undefined;
  #idleTimer: NodeJS.Timeout | undefined;
  #isReady = false;
  #isEnding = false;
  #hasTimedOut = false;

  /** Starts the process. `onEnd` is called once when it ends, for any cause. */
  constructor(settings: ProcessSettings, onEnd: () => void) {
    this.#settings = settings;
    // No secrets are inherited. One arena, since glibc keeps freed memory per thread.
    this.#child = fork(settings.script, [], {
      env: { MALLOC_ARENA_MAX: "1" },
      execArgv: ["--max-old-space-size=128"],
      serialization: "advanced",
      stdio: ["ignore", "ignore", "ignore", "ipc"],
    });
    this.#child.unref();
    this.#child.channel?.unref();
    this.#child.on("message", (message) => this.#receive(message as WorkerMessage<Reply>));
    this.#ended = new Promise((resolve) => {
      const end = (code: number | null, signal: NodeJS.Signals | null): void => {
        this.#isEnding = true;
        clearTimeout(this.#idleTimer);
        onEnd();
        this.#settle((job) => job.reject(new JobError(this.#causeOf(code, signal))));
        resolve();
      };
      this.#child.once("exit", end);
      this.#child.on("error", () => {
        if (this.#child.pid === undefined) end(null, "SIGKILL");
      });
    });
  }

  get isFree(): boolean {
    return this.#job === undefined && !this.#isEnding;
  }

  /** Returns the process's reply to a job; throws `JobError`. */
  run(message: Serializable): Promise<Reply> {
    clearTimeout(this.#idleTimer);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#hasTimedOut = true;
        void this.end();
      }, this.#settings.maxJobMs);
      this.#job = { timer, resolve, reject };
      // The end of a process, also of one that did not start for lack of file descriptors, rejects the job.
      if (this.#child.connected) this.#child.send(message, () => {});
    });
  }

  /** Kills the process and resolves when it has ended. */
  async end(): Promise<void> {
    this.#isEnding = true;
    this.#child.kill("SIGKILL");
    await this.#ended;
  }

  #receive(message: WorkerMessage<Reply>): void {
    if (message === "ready") {
      this.#isReady = true;
      return;
    }
    if (message.isLast) void this.end();
    else this.#idleTimer = setTimeout(() => void this.end(), this.#settings.maxIdleMs).unref();
    this.#settle((job) => job.resolve(message.reply));
  }

  #settle(action: (job: RunningJob<Reply>) => void): void {
    const job = this.#job;
    if (job === undefined) return;
    this.#job = undefined;
    clearTimeout(job.timer);
    action(job);
  }

  /** The end of a process that was never ready is not the job's fault. */
  #causeOf(code: number | null, signal: NodeJS.Signals | null): JobFailure {
    if (!this.#isReady) return "lost";
    if (this.#hasTimedOut) return "timeout";
    if (code === memoryExitCode) return "memory";
    return outsideSignals.has(signal) ? "lost" : "crashed";
  }
}
