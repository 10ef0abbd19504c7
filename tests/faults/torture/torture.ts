import { logLines } from "../fault.ts";
import { isSoon, pause } from "../client.ts";
import type { StudentPromises } from "../promises.ts";
import { backUpAndRestore, type Restored } from "./backup.ts";
import { checkFiles } from "./checks/files.ts";
import type { Finding, Read } from "./checks/finding.ts";
import { checkLeftovers, whatWaits } from "./checks/leftovers.ts";
import { checkMails } from "./checks/mails.ts";
import { checkRows } from "./checks/rows.ts";
import { checkWebhooks } from "./checks/webhooks.ts";
import { startLanes, type Lanes } from "./lanes.ts";
import { startTortureTraffic, type TortureTraffic } from "./traffic.ts";
import { startWorld, type World } from "./world.ts";

export interface TortureOptions {
  seconds: number;
  seed: number;
  /** Whether files are in a bucket, where an S3 server is installed. */
  wantsStore: boolean;
  /** Whether a backup is made and restored meanwhile. */
  backsUp: boolean;
  say: (line: string) => void;
}

export interface Torture {
  world: World;
  /** How often each kind of fault was put. */
  counts: Map<string, number>;
  findings: Finding[];
  /** What the site acknowledged to each student. */
  promised: StudentPromises[];
  /** Checks every promise once more. */
  check(): Promise<Finding[]>;
}

/** Milliseconds for everything to be ready once the faults are over. */
const recoveryMs = 60_000;

/** Seconds by which the clock is moved at the end: longer than any lease and than the waits of mails and events that failed often. */
const laterSeconds = 8 * 3600;

/**
 * Breaks a site of two processes under traffic, over and over, then lets it recover and checks every promise that it acknowledged. The caller
 * closes the world.
 */
export async function torture(options: TortureOptions): Promise<Torture> {
  const { seconds, seed, say } = options;
  const world = await startWorld(options.wantsStore);
  try {
    say(`seed ${seed}, ${seconds} s, files ${world.services.store ? "in a bucket" : "on the disk"}`);
    const traffic = await startTortureTraffic(world);
    const { counts, restored, recovery } = await afterwards(breakIt(world, traffic, options), traffic.stop);
    await settle(world, say);
    const check = () => checkAll(world, traffic);
    const compared = (await restored?.compare()) ?? [];
    const findings = [...(await check()), ...compared, recovery, checkReplies(world)];
    return { world, counts, findings, promised: traffic.promises.students, check };
  } catch (error) {
    await world.close();
    throw error;
  }
}

/** Waits for something, then ends what it needed, whether it failed or not. */
async function afterwards<Result>(action: Promise<Result>, end: () => Promise<void>): Promise<Result> {
  try {
    return await action;
  } finally {
    await end();
  }
}

/** Puts faults on the site for the time of the run and lets it recover. */
async function breakIt(
  world: World,
  traffic: TortureTraffic,
  options: TortureOptions,
): Promise<{ counts: Map<string, number>; restored: Restored | undefined; recovery: Finding }> {
  const { seed, seconds } = options;
  const lanes = startLanes(world, seed, seconds >= 120 ? seconds * 250 : undefined);
  const restored = await afterwards(letItRun(world, traffic, lanes, options), lanes.stop);
  return { counts: lanes.counts, restored, recovery: await recover(world, traffic) };
}

async function letItRun(
  world: World,
  traffic: TortureTraffic,
  lanes: Lanes,
  { seconds, backsUp, say }: TortureOptions,
): Promise<Restored | undefined> {
  const end = Date.now() + seconds * 1000;
  const total = (): number => [...lanes.counts.values()].reduce((sum, count) => sum + count, 0);
  let restored: Restored | undefined;
  let nextWord = Date.now() + 30_000;
  let backupAt = backsUp ? Date.now() + seconds * 600 : Infinity;
  while (Date.now() < end) {
    await pause(200);
    if (Date.now() > backupAt) {
      backupAt = Infinity;
      restored = await backUpAndRestore(world, traffic, lanes);
      say("backed up and restored");
    }
    if (Date.now() < nextWord) continue;
    nextWord += 30_000;
    say(`${total()} faults, ${traffic.lives()} students came through, ${traffic.promises.count()} promises`);
  }
  return restored;
}

/** Everything must be ready by itself, and students come through again. */
async function recover(world: World, traffic: TortureTraffic): Promise<Finding> {
  const recovery: Finding = { promise: "recovery by itself", count: 1, lost: [] };
  const { journal } = world;
  if (!(await world.isReady(recoveryMs))) recovery.lost.push("the site is not ready");
  await world.services.heal();
  const lives = traffic.lives();
  if (!(await isSoon(() => traffic.lives() > lives + 3, recoveryMs))) recovery.lost.push("no student comes through");
  const mishaps = journal.mishaps.length;
  await pause(3000);
  recovery.lost.push(...journal.mishaps.slice(mishaps).map(({ what }) => `after the recovery: ${what}`));
  return recovery;
}

/** Starts the processes hours later, so that every lease and every wait has ended, and waits until nothing is left to do. */
async function settle(world: World, say: (line: string) => void): Promise<void> {
  await world.restartLater(laterSeconds);
  await world.isReady(recoveryMs);
  const isDone = await isSoon(async () => (await whatWaits(reader(world))).length === 0, recoveryMs);
  if (!isDone) say("some jobs have not ended");
}

const reader =
  ({ postgres }: World): Read =>
  async (statement) =>
    (await postgres.sql(statement)).rows;

async function checkAll(world: World, { promises, lessons }: TortureTraffic): Promise<Finding[]> {
  const read = reader(world);
  const { mail, receiver, delivered } = world.services;
  return [
    ...(await checkRows(read, promises.students)),
    ...(await checkFiles(world, promises.students, lessons)),
    ...(await checkMails(read, promises.students, mail.taken)),
    await checkWebhooks(read, receiver.received, delivered),
    await checkLeftovers(read),
  ];
}

/** No visitor gets an error other than 503, whatever fails (RUN-3). */
function checkReplies({ journal, lines }: World): Finding {
  const bad = journal.mishaps.filter(({ status }) => status !== 0 && status !== 503).map(({ what }) => what);
  const strays = logLines(lines()).filter((line) => /TypeError|ReferenceError|Unhandled|uncaught/.test(line));
  return { promise: "replies without an error of the site's own", count: journal.replies, lost: [...bad, ...strays] };
}
