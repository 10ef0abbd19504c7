import { findPackagedPostgres } from "#server/platform/db/embedded/binaries/find-binaries";
import { startEmbeddedPostgres, type EmbeddedPostgresOptions } from "#server/platform/db/embedded/supervisor";

// A process that only runs the embedded database, for tests that kill it. It reports events as lines of JSON.
type Options = Omit<EmbeddedPostgresOptions, "say"> & { packageDir?: string };
const { packageDir, ...options } = JSON.parse(process.argv[2] ?? "{}") as Options;
const report = (event: string, details: object): void => console.log(JSON.stringify({ event, ...details }));

report("begun", {});
// The real product has an HTTP server that keeps it alive.
const alive = setInterval(() => undefined, 1000);
try {
  if (packageDir) options.binaries = await findPackagedPostgres(packageDir);
  const { connection, clusterDir, stop } = await startEmbeddedPostgres({ ...options, say: (line) => report("said", { line }) });
  process.once("SIGTERM", () => void stop().then(() => process.exit(0)));
  report("ready", { connection, clusterDir });
} catch (error) {
  const { name, message } = error as Error;
  report("failed", { name, message });
  process.exitCode = 1;
  clearInterval(alive);
}
