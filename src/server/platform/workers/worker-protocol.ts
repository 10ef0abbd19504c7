/** The messages of a worker process: "ready" once, then a reply to each job. After a reply with `isLast` it ends. */
export type WorkerMessage<Reply> = "ready" | { reply: Reply; isLast: boolean };

/** The exit code of a worker process that grew past its limit during a job. */
export const memoryExitCode = 77;
