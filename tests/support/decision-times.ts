import { expect, type Page } from "@playwright/test";

export interface Decision {
  kind: string;
  keys: number;
  /** From the first key to the next request with the focus in it. */
  seconds: number;
  /** From the last key to the next request with the focus in it, as the page itself measures it. */
  machineSeconds: number;
  /** How much of it the reply took. */
  replySeconds: number;
}

interface Marks {
  key: number;
  next: number;
  name: string;
}

/** Returns what runs the keys of one decision, and measures it. The last one of a queue has no next. */
export async function watchDecisions(page: Page) {
  await page.evaluate(() => {
    const marks: Marks = { key: 0, next: 0, name: "" };
    Object.assign(window, { marks });
    document.addEventListener("keydown", () => void (marks.key = performance.now()), true);
    document.addEventListener("focusin", ({ target }) => {
      if (!(target instanceof HTMLHeadingElement)) return;
      const name = target.innerText;
      // Once it is painted.
      requestAnimationFrame(() => setTimeout(() => Object.assign(marks, { next: performance.now(), name })));
    });
  });
  return async (kind: string, next: string | undefined, decide: (press: (key: string) => Promise<void>) => Promise<void>) => {
    let keys = 0;
    const begin = Date.now();
    await decide(async (key) => {
      keys += 1;
      await page.keyboard.press(key);
    });
    let [machineSeconds, replySeconds] = [Number.NaN, Number.NaN];
    if (next !== undefined) {
      await expect.poll(() => page.evaluate(() => (window as unknown as { marks: Marks }).marks.name)).toBe(next);
      [machineSeconds, replySeconds] = await page.evaluate(() => {
        const { marks } = window as unknown as { marks: Marks };
        const replies = performance.getEntriesByType("resource").filter(({ name }) => /\/(approve|reject)$/.test(name));
        performance.clearResourceTimings();
        return [(marks.next - marks.key) / 1000, (replies.at(-1)?.duration ?? Number.NaN) / 1000] as const;
      });
    }
    return { kind, keys, seconds: (Date.now() - begin) / 1000, machineSeconds, replySeconds };
  };
}

/** Prints keys and seconds a decision: the median and the worst of each kind. */
export function printTable(decisions: readonly Decision[]): void {
  const kinds = [...new Set(decisions.map(({ kind }) => kind))].toSorted();
  const rows = [...kinds, "all"].map((kind) => {
    const of = decisions.filter((one) => (kind === "all" || one.kind === kind) && !Number.isNaN(one.machineSeconds));
    const column = (name: "keys" | "seconds" | "machineSeconds" | "replySeconds") => {
      const sorted = of.map((one) => one[name]).toSorted((one, other) => one - other);
      return [sorted[Math.floor(sorted.length / 2)], sorted.at(-1)].map((value) => String(Number(value?.toFixed(3))));
    };
    return [
      kind,
      String(of.length),
      ...column("keys"),
      ...column("machineSeconds"),
      ...column("replySeconds"),
      ...column("seconds"),
    ];
  });
  const names = ["decision", "count", "keys", "worst", "machine s", "worst", "reply s", "worst", "whole s", "worst"];
  console.log([names, ...rows].map((row) => row.map((cell, index) => cell.padEnd(index === 0 ? 20 : 11)).join("")).join("\n"));
}
