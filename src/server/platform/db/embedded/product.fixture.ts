import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from "./supervisor.ts";

// A process that only runs the embedded database: what the tests kill. It tells what happens as lines of JSON.
const options = JSON.parse(process.argv[2] ?? "{}") as Omit<EmbeddedPostgresOptions, "say">;
const tell = (event: string, details: object): void => console.log(JSON.stringify({ event, ...details }));

tell("begun", {});
try {
  const { connection, clusterDir, stop } = await startEmbeddedPostgres({ ...options, say: (line) => tell("said", { line }) });
  process.once("SIGTERM", () => void stop().then(() => process.exit(0)));
  tell("ready", { connection, clusterDir });
} catch (error) {
  const { name, message } = error as Error;
  tell("failed", { name, message });
  process.exitCode = 1;
}
