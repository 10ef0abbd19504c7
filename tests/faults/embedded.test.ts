import { rename } from "node:fs/promises";
import { join } from "node:path";
import { it } from "vitest";
import { isAlive } from "#server/platform/db/embedded/os/processes";
import { isSoon } from "./client.ts";
import { byForm, recoveryDeadlineMs } from "./form.ts";
import { postmasterOf, signalPostgres } from "./postgres.ts";
import { clusterBelow, siteUnderTraffic } from "./running-site.ts";

const running = siteUnderTraffic();
const { survives } = running;

/** Ends the postmaster, and waits until it is gone: until then the site has nothing to recover from. */
const endPostmaster = async (signal: NodeJS.Signals): Promise<void> => {
  const pid = await postmasterOf(await clusterBelow(running.site.dataDir));
  if (pid === undefined) throw new Error("No PostgreSQL runs.");
  process.kill(pid, signal);
  await isSoon(() => !isAlive(pid), recoveryDeadlineMs);
};

it("restarts an embedded postmaster that was killed", () =>
  survives({
    name: "embedded postmaster killed (SIGKILL)",
    lastsMs: 0,
    async begin() {
      await endPostmaster("SIGKILL");
      return () => {};
    },
  }));

it("restarts an embedded PostgreSQL that was stopped by hand", () =>
  survives({
    name: "embedded PostgreSQL stopped by hand (SIGINT)",
    lastsMs: 0,
    async begin() {
      await endPostmaster("SIGINT");
      return () => {};
    },
  }));

it("survives an embedded PostgreSQL that stands still", () =>
  survives({
    name: "embedded PostgreSQL frozen (SIGSTOP)",
    lastsMs: byForm(3000, 20_000),
    unready: /"part":"database"/,
    async begin() {
      const clusterDir = await clusterBelow(running.site.dataDir);
      await signalPostgres(clusterDir, "SIGSTOP");
      return () => signalPostgres(clusterDir, "SIGCONT");
    },
  }));

it("survives a folder of objects that is moved away and back", () =>
  survives({
    name: "objects folder missing",
    lastsMs: byForm(3000, 10_000),
    unready: /"part":"storage"/,
    async begin() {
      const folder = join(running.site.dataDir, "objects");
      await rename(folder, `${folder}.away`);
      return () => rename(`${folder}.away`, folder);
    },
  }));
