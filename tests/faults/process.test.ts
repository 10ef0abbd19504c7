import { mkdtemp, readFile, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterAll, expect, it } from "vitest";
import { isSoon } from "./client.ts";
import { byForm } from "./form.ts";
import { withDescendants } from "../support/processes.ts";
import { look } from "./probe.ts";
import { report } from "./report.ts";
import { siteUnderTraffic } from "./running-site.ts";

let folder: string;
afterAll(() => rm(folder, { recursive: true, force: true }));
const setClock = (aheadSeconds: number): Promise<void> => writeFile(join(folder, "clock"), String(aheadSeconds));
const running = siteUnderTraffic({
  async environment() {
    folder = await mkdtemp(join(tmpdir(), "pipwright-clock-"));
    await setClock(0);
    const clock = pathToFileURL(join(import.meta.dirname, "../support/sites/moved-clock.mjs")).href;
    return { NODE_OPTIONS: `--import=${clock}`, CLOCK_FILE: join(folder, "clock") };
  },
});

it("survives being held still (SIGSTOP) and resumed", () =>
  running.survives({
    name: "the site held still (SIGSTOP)",
    lastsMs: byForm(4000, 20_000),
    // Longer than anybody waits for an answer.
    cutsClients: true,
    async begin() {
      process.kill(running.site.pid(), "SIGSTOP");
      return () => void process.kill(running.site.pid(), "SIGCONT");
    },
  }));

const isLinux = process.platform === "linux";

async function killWorkers(): Promise<void> {
  for (const pid of (await withDescendants(running.site.pid())).slice(1)) {
    const command = await readFile(`/proc/${pid}/cmdline`, "utf8").catch(() => "");
    if (command.includes("-worker.js")) process.kill(pid, "SIGKILL");
  }
}

it.runIf(isLinux)("survives worker processes that are killed every half second", () =>
  running.survives({
    name: "worker processes killed (SIGKILL) every half second",
    lastsMs: byForm(3000, 20_000),
    async begin() {
      let killing = Promise.resolve();
      const timer = setInterval(() => void (killing = killWorkers().catch(() => {})), 500);
      return () => {
        clearInterval(timer);
        return killing;
      };
    },
  }),
);

it.each([
  ["ahead", 3600],
  ["back", -3600],
])("serves new students while the clock is an hour %s and after", async (where, seconds) => {
  const { site, traffic } = running;
  const badReplies = (): string[] => traffic.journal.mishaps.slice(before).map(({ what }) => what);
  const before = traffic.journal.mishaps.length;
  for (const ahead of [seconds, 0]) {
    await setClock(ahead);
    const lives = traffic.lives();
    // Those who had begun may be signed out, or their quote ended.
    expect(await isSoon(() => traffic.lives() > lives + 2, 60_000)).toBe(true);
    expect((await look(`${site.url}/readyz`)).text).not.toContain("part");
  }
  const lost = await traffic.missing();
  report({ fault: `the clock an hour ${where} and right again`, complaints: [...lost, ...badReplies()] });
  expect([...lost, ...badReplies()]).toEqual([]);
});
