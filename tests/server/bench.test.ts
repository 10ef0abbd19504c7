import { spawnSync } from "node:child_process";
import { expect, it, onTestFinished, vi } from "vitest";
import { readArguments } from "../../bench/frame/arguments.mjs";
import { openBench } from "../../bench/frame/bench.mjs";
import { buyersOf } from "../../bench/frame/buyers.mjs";
import { writeToMemory } from "../../bench/frame/in-memory.mjs";
import { proportionalMb, proportionalMbOfAll, proportionalMbOfTree } from "../../bench/frame/processes.mjs";
import { runProgram } from "../../bench/frame/program.mjs";

const students = Array.from({ length: 1500 }, (_none, number) => number);

it("hands out each student of a bench once, to two rows of any number of rounds", () => {
  for (const rounds of [1, 3, 6, 9]) {
    const { perRound, take } = buyersOf(students);
    const ofSubmit = Array.from({ length: rounds + 1 }, () => take(perRound(2 / 5, rounds)));
    take(1);
    const ofScale = Array.from({ length: 3 * (rounds + 1) }, () => take(perRound(1 / 5, rounds)));
    const all = [...ofSubmit, ...ofScale].flat();
    expect(new Set(all).size).toBe(all.length);
    expect(all).not.toContain(800);
    expect(all.length).toBeGreaterThan(640);
  }
});

it("fails a row of a bench that asks for more students than are left", () => {
  const { take } = buyersOf(students);
  expect(take(699)).toHaveLength(699);
  expect(() => take(1)).toThrow("0 students");
});

it.runIf(process.platform === "linux")("measures no memory of a process that has ended, unless it is one of many", () => {
  const { pid: ended } = spawnSync("true");
  expect(() => proportionalMb(ended)).toThrow("ENOENT");
  expect(() => proportionalMbOfTree(ended)).toThrow("ENOENT");
  expect(proportionalMbOfAll([ended])).toBe(0);
  expect(proportionalMb(process.pid)).toBeGreaterThan(10);
  expect(proportionalMbOfTree(process.pid)).toBeGreaterThan(10);
});

it("stops what a bench is handed while it is being closed, and starts no more", async () => {
  const said: string[] = [];
  const stopped: string[] = [];
  const bench = openBench({ quick: true, rounds: 1, say: (line) => void said.push(line) });
  bench.atEnd(() => stopped.push("first"));
  bench.atEnd(() => Promise.reject(new Error("This one fails.")));
  void bench.close();
  expect(() => bench.atEnd(() => stopped.push("late"))).toThrow("being closed");
  await expect(bench.stage()).rejects.toThrow("being closed");
  await bench.close();
  expect(stopped.toSorted()).toEqual(["first", "late"]);
  expect(said).toEqual(["Error: This one fails."]);
});

it("ends the program that a bench waits for when it is closed", async () => {
  const bench = openBench({ quick: true, rounds: 1, say: () => {} });
  await runProgram(bench, "true", []);
  await expect(runProgram(bench, "false", ["now"])).rejects.toThrow("false now failed (1).");
  const running = runProgram(bench, process.execPath, ["-e", "setInterval(() => {}, 1000)"]);
  void bench.close();
  await expect(running).rejects.toThrow("being closed");
  await expect(runProgram(bench, "true", [])).rejects.toThrow("being closed");
});

it("says where a bench finds no room in memory, unless it is told where to write", () => {
  onTestFinished(() => void vi.unstubAllEnvs());
  const said: string[] = [];
  vi.stubEnv("TMPDIR", "/var/tmp");
  writeToMemory(2 ** 30, (line) => void said.push(line));
  expect(said).toEqual([]);
  vi.stubEnv("TMPDIR", undefined);
  writeToMemory(2 ** 30, (line) => void said.push(line));
  expect(said).toEqual([expect.stringContaining("the files are on a disk")]);
  expect(process.env["TMPDIR"]).toBeUndefined();
});

it("keeps in mind what a bench leaves out, each once", () => {
  const said: string[] = [];
  const bench = openBench({ quick: true, rounds: 1, say: (line) => void said.push(line) });
  for (const line of ["no nginx", "no Chromium", "no nginx"]) bench.leaveOut(line);
  expect([...bench.leftOut]).toEqual(["no nginx", "no Chromium"]);
  expect(said).toEqual(["no nginx", "no Chromium", "no nginx"]);
});

it("saves no table of a bench that has only some rows, short rounds or a profiler", () => {
  const read = (...args: string[]) => readArguments(args, ["list", "quote"]);
  expect(read("--save")).toMatchObject({ save: true, quick: false, rounds: 3, names: [] });
  expect(read("--quick", "list")).toMatchObject({ save: false, quick: true, rounds: 1, names: ["list"] });
  expect(() => read("--save", "list")).toThrow("--save needs all rows");
  expect(() => read("--save", "--quick")).toThrow("--save needs all rows");
  expect(() => read("--save", "--profile")).toThrow("--save needs all rows");
  expect(() => read("lists")).toThrow("There is no row lists. The rows are list, quote.");
  expect(() => read("--rounds=0")).toThrow("--rounds must be a whole number");
});
