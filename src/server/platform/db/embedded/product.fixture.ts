import { findPackagedPostgres, startEmbeddedPostgres, type EmbeddedPostgresOptions } from "./supervisor.ts";

// A process that only runs the embedded database: what the tests kill. It tells what happens as lines of JSON.
type Order = Omit<EmbeddedPostgresOptions, "say"> & { packageDir?: string };
const { packageDir, ...options } = JSON.parse(process.argv[2] ?? "{}") as Order;
const tell = (event: string, details: object): void => console.log(JSON.stringify({ event, ...details }));

tell("begun", {});
// The real product has an HTTP server that keeps it alive.
const alive = setInterval(() => undefined, 1000);
try {
  if (packageDir) options.binaries = await findPackagedPostgres(packageDir);
  const { connection, clusterDir, stop } = await startEmbeddedPostgres({ ...options, say: (line) => tell("said", { line }) });
  process.once("SIGTERM", () => void stop().then(() => process.exit(0)));
  tell("ready", { connection, clusterDir });
} catch (error) {
  const { name, message } = error as Error;
  tell("failed", { name, message });
  process.exitCode = 1;
  clearInterval(alive);
}
