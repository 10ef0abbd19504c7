// The process that estimates passwords: its word lists take 50 MB, and a hostile password long enough to delay other requests.
import { serveJobs } from "../workers/serve-jobs.ts";
import { isGuessable } from "./guesses.ts";
import type { PasswordJob } from "./password-checker.ts";

await serveJobs(({ password, own }: PasswordJob) => isGuessable(password, own));
