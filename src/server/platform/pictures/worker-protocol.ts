/** What a worker process sends: once that it is ready, then a reply to each job; after the last one it is ended. */
export type WorkerMessage<Reply> = "ready" | { reply: Reply; isLast: boolean };

/** The exit code of a worker process that grew past its limit during a job. */
export const memoryExitCode = 77;
