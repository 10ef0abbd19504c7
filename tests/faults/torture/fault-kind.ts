import { pause } from "../client.ts";
import type { Random } from "./random.ts";
import type { World } from "./world.ts";

/** Something that breaks, at random. */
export interface FaultKind {
  name: string;
  /** How often it is chosen, beside the others of its lane. */
  weight: number;
  /** Breaks it, mends it and returns true; false when there was nothing to break. */
  put(world: World, random: Random): Promise<boolean>;
}

/** A fault that lasts a random time between two, in milliseconds. */
export function lasting(
  name: string,
  weight: number,
  [from, to]: [from: number, to: number],
  begin: (world: World, random: Random) => Promise<(() => unknown) | undefined> | (() => unknown) | undefined,
): FaultKind {
  return {
    name,
    weight,
    async put(world, random) {
      const lastsMs = random.between(from, to);
      const end = await begin(world, random);
      if (end === undefined) return false;
      await pause(lastsMs);
      await end();
      return true;
    },
  };
}

/** A fault that is over at once. */
export function sudden(
  name: string,
  weight: number,
  put: (world: World, random: Random) => Promise<boolean | void> | boolean | void,
): FaultKind {
  return { name, weight, put: async (world, random) => (await put(world, random)) !== false };
}

/** Sends a signal to a process; false when it has ended. */
export function signal(pid: number, name: NodeJS.Signals): boolean {
  try {
    return process.kill(pid, name);
  } catch {
    return false;
  }
}
