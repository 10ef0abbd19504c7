import { hasHeld, tableOf } from "./table.ts";
import { torture, type TortureOptions } from "./torture.ts";

/** Runs the torture, prints its table and the seed that repeats its faults; returns whether faults were put and nothing was lost. */
export async function runTorture(options: TortureOptions): Promise<boolean> {
  const { world, counts, findings } = await torture(options);
  await world.close();
  for (const line of tableOf(counts, findings)) options.say(line);
  options.say(`\nnpm run torture -- --minutes=${options.seconds / 60} --seed=${options.seed}`);
  return hasHeld(counts, findings);
}
