import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { openSlipReader } from "#server/platform/pictures/slip-reader";
import { mutationNames, tryToRead, type SlipResult } from "./corpus.ts";

/** Has `count` slips read by a built `picture-worker.ts`, and prints a table. */
export async function printSlips(script: string, count: number, seed: number): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), "slips-"));
  const reader = openSlipReader(script);
  // The reader's process keeps nobody waiting for it.
  const alive = setInterval(() => {}, 1000);
  const results: SlipResult[] = [];
  try {
    for (let number = 0; number < count; number += 1) results.push(await tryToRead(reader, folder, number, seed));
  } finally {
    await reader.close();
    clearInterval(alive);
    await rm(folder, { recursive: true });
  }
  console.log(`${count} slips, seed ${seed}`);
  console.log(`${"".padEnd(26)}   read  missed  wrong  median ms  longest ms`);
  for (const name of mutationNames)
    printLine(
      name,
      results.filter(({ mutation }) => mutation === name),
    );
  printLine("all", results);
}

function printLine(name: string, results: SlipResult[]): void {
  const number = (outcome: SlipResult["outcome"]): number => results.filter((one) => one.outcome === outcome).length;
  const times = results.map(({ milliseconds }) => milliseconds).toSorted((one, other) => one - other);
  const columns = [
    number("read"),
    number("missed"),
    number("wrong"),
    times[Math.floor(times.length / 2)] ?? 0,
    times.at(-1) ?? 0,
  ];
  const widths = [7, 8, 7, 11, 12];
  console.log(name.padEnd(26) + columns.map((value, index) => value.toFixed(0).padStart(widths[index]!)).join(""));
}
