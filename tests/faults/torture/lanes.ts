import { pause } from "../client.ts";
import type { FaultKind } from "./fault-kind.ts";
import { faultsOfDatabase, longOutage } from "./faults-of-database.ts";
import { faultsOfServices } from "./faults-of-services.ts";
import { faultsOfSite } from "./faults-of-site.ts";
import { seeded } from "./random.ts";
import type { World } from "./world.ts";

/** Faults that are being put. */
export interface Lanes {
  /** How often each kind was put. */
  counts: Map<string, number>;
  /** Puts nothing more on the database and the processes until the returned function is called. */
  hold(): Promise<() => void>;
  stop(): Promise<void>;
}

/** Milliseconds between two faults of a lane. */
const pauses = { from: 100, to: 1300 };

/** Lanes run beside each other, each putting one fault after another in an order that the seed decides. */
export function startLanes(world: World, seed: number, longOutageAfterMs?: number): Lanes {
  const over = new AbortController();
  const counts = new Map<string, number>();
  let isHeld = false;
  const busy = new Set<symbol>();
  const put = async (kind: FaultKind, random = seeded(seed)): Promise<void> => {
    if (await kind.put(world, random)) counts.set(kind.name, (counts.get(kind.name) ?? 0) + 1);
  };
  const run = async (kinds: FaultKind[], laneSeed: number, isHoldable: boolean): Promise<void> => {
    const random = seeded(laneSeed);
    const lane = Symbol("lane");
    while (!over.signal.aborted) {
      await pause(random.between(pauses.from, pauses.to));
      if (over.signal.aborted || (isHoldable && isHeld)) continue;
      busy.add(lane);
      try {
        await put(random.weighed(kinds), random);
      } catch {
        // PostgreSQL was not there to be asked; the next fault finds it again.
      } finally {
        busy.delete(lane);
      }
    }
  };
  const hold = async (): Promise<() => void> => {
    isHeld = true;
    while (busy.size > 0) await pause(20);
    return () => void (isHeld = false);
  };
  const outage = async (): Promise<void> => {
    if (longOutageAfterMs === undefined) return;
    for (let waited = 0; waited < longOutageAfterMs; waited += 100) {
      if (over.signal.aborted) return;
      await pause(100);
    }
    const release = await hold();
    await put(longOutage);
    release();
  };
  const lanes = [
    run(faultsOfDatabase, seed, true),
    run(faultsOfSite, seed + 1, true),
    run(faultsOfServices, seed + 2, false),
    outage(),
  ];
  return {
    counts,
    hold,
    async stop() {
      over.abort();
      await Promise.all(lanes);
    },
  };
}
