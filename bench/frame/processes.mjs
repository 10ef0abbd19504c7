// @ts-check
// What processes take, by Linux's /proc; undefined on other systems.
import { existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const isLinux = existsSync("/proc/self/stat");
const msPerTick = 10;

/** Returns a process and all its descendants that live now; nothing once it has ended. @param {number} pid @returns {number[]} */
export function treeOf(pid) {
  if (!isLinux) return [pid];
  const threads = threadsOf(pid);
  // A thread that ends meanwhile leaves its children to another.
  const children = threads.flatMap((id) => readOf(pid, `task/${id}/children`).split(" ").filter(Boolean).map(Number));
  return threads.length === 0 ? [] : [pid, ...children.flatMap(treeOf)];
}

/** @param {number} pid */
function threadsOf(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`);
  } catch {
    // It has ended meanwhile.
    return [];
  }
}

/** Returns a process's command line, its arguments joined by NUL; empty once the process has ended. @param {number} pid */
export function commandOf(pid) {
  return readOf(pid, "cmdline");
}

/** Returns the CPU time that processes and their ended children have taken, in ms. @param {number[]} pids */
export function cpuMs(pids) {
  if (!isLinux) return undefined;
  return pids.reduce((sum, pid) => sum + cpuOf(pid), 0);
}

/** @param {number} pid */
function cpuOf(pid) {
  const text = readOf(pid, "stat");
  // The name, in parentheses, may have blanks. Behind it, from field 14: utime, stime, cutime, cstime.
  const fields = text.slice(text.lastIndexOf(")") + 2).split(" ");
  const ticks = fields.slice(11, 15).reduce((sum, value) => sum + Number(value), 0);
  return ticks * msPerTick;
}

/** Has the peak of a process's memory counted from now. @param {number} pid */
export function resetPeak(pid) {
  if (isLinux) writeFileSync(`/proc/${pid}/clear_refs`, "5");
}

/** Returns the most memory that a process had since `resetPeak`, in MB. @param {number} pid */
export function peakMb(pid) {
  if (!isLinux) return undefined;
  return Number(/VmHWM:\s+(\d+)/.exec(readOf(pid, "status"))?.[1]) / 1024;
}

/** Returns the memory of a process in MB, what it shares with others counted once (Pss). Throws once it has ended. @param {number} pid */
export function proportionalMb(pid) {
  if (!isLinux) return undefined;
  const kb = /\nPss:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/smaps_rollup`, "utf8"))?.[1];
  if (kb === undefined) throw new Error(`Process ${pid} has ended.`);
  return Number(kb) / 1024;
}

/** Returns the memory of a process and its descendants, of which some may end meanwhile. Throws once the process itself has ended. @param {number} pid */
export function proportionalMbOfTree(pid) {
  const own = proportionalMb(pid);
  return own && own + proportionalMbOfAll(treeOf(pid).slice(1));
}

/** Returns the memory of those processes that live. @param {number[]} pids */
export function proportionalMbOfAll(pids) {
  return pids.reduce((sum, pid) => sum + mbUnlessEnded(pid), 0);
}

/** @param {number} pid */
function mbUnlessEnded(pid) {
  try {
    return proportionalMb(pid) ?? 0;
  } catch (error) {
    if (commandOf(pid) !== "") throw error;
    return 0;
  }
}

/** Waits, up to a minute, until processes have nothing more to do: what a round leaves behind must not slow the next. @param {number[]} pids */
export async function untilQuiet(pids) {
  for (let tries = 0; tries < 240; tries++) {
    const before = cpuMs(pids);
    await wait(250);
    const after = cpuMs(pids);
    if (before === undefined || after === undefined || after - before <= 20) return;
  }
}

/** @param {number} pid @param {string} file */
function readOf(pid, file) {
  try {
    return readFileSync(`/proc/${pid}/${file}`, "utf8");
  } catch {
    return "";
  }
}
