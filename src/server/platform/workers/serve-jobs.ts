import type { WorkerMessage } from "./worker-protocol.ts";

interface Options<Job, Reply> {
  /** Returns whether the process is to end after a reply. */
  isLast?: (job: Job, reply: Reply) => boolean;
  /** What the process loads before its first job. */
  loading?: Promise<unknown>;
}

/** Makes this process a worker of a pool, which sends the reply of `run` to each job. A `run` that throws ends the process, which fails the job. */
export async function serveJobs<Job, Reply>(
  run: (job: Job) => Reply | Promise<Reply>,
  { isLast = () => false, loading }: Options<Job, Reply> = {},
): Promise<void> {
  // A terminal's Ctrl-C reaches the whole group; the server drains first and ends this process itself.
  for (const signal of ["SIGINT", "SIGTERM", "SIGHUP"] as const) process.on(signal, () => {});
  process.on("disconnect", () => process.exit());
  await loading;
  const send = (message: WorkerMessage<Reply>): unknown => process.send?.(message);
  const serve = async (job: Job): Promise<void> => {
    const reply = await run(job);
    send({ reply, isLast: isLast(job, reply) });
  };
  process.on("message", (job: Job) => void serve(job));
  send("ready");
}
