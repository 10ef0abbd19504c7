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
  /** What the page computed from the first key on, whatever else the machine does: scripts, styles, layout, painting. */
  cpuSeconds: number;
}

type Measure = Exclude<keyof Decision, "kind">;

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
  const cdp = await page.context().newCDPSession(page);
  await cdp.send("Performance.enable", { timeDomain: "threadTicks" });
  const cpu = async (): Promise<number> => {
    const { metrics } = await cdp.send("Performance.getMetrics");
    return metrics.find(({ name }) => name === "TaskDuration")?.value ?? Number.NaN;
  };
  return async (kind: string, next: string | undefined, decide: (press: (key: string) => Promise<void>) => Promise<void>) => {
    let keys = 0;
    const cpuBefore = await cpu();
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
    const seconds = (Date.now() - begin) / 1000;
    return { kind, keys, seconds, machineSeconds, replySeconds, cpuSeconds: (await cpu()) - cpuBefore };
  };
}

const columns: [name: string, measure: Measure][] = [
  ["keys", "keys"],
  ["machine s", "machineSeconds"],
  ["reply s", "replySeconds"],
  ["page CPU s", "cpuSeconds"],
  ["whole s", "seconds"],
];

/** Prints keys and seconds a decision: the median and the worst of each kind, and the slowest decisions one by one. */
export function printTable(decisions: readonly Decision[]): void {
  const measured = decisions.filter(({ machineSeconds }) => !Number.isNaN(machineSeconds));
  const kinds = [...new Set(measured.map(({ kind }) => kind))].toSorted();
  const rows = [...kinds, "all"].map((kind) => {
    const of = measured.filter((one) => kind === "all" || one.kind === kind);
    const medianAndWorst = columns.flatMap(([, measure]) => {
      const sorted = of.map((one) => one[measure]).toSorted((one, other) => one - other);
      return [rounded(sorted[Math.floor(sorted.length / 2)]), rounded(sorted.at(-1))];
    });
    return [kind, String(of.length), ...medianAndWorst];
  });
  print([["decision", "count", ...columns.flatMap(([name]) => [name, "worst"])], ...rows]);
  const slowest = measured.toSorted((one, other) => other.machineSeconds - one.machineSeconds).slice(0, 5);
  print([
    ["the slowest", "number", ...columns.map(([name]) => name)],
    ...slowest.map((one) => [
      one.kind,
      String(decisions.indexOf(one) + 1),
      ...columns.map(([, measure]) => rounded(one[measure])),
    ]),
  ]);
}

const rounded = (value: number | undefined): string => String(Number(value?.toFixed(3)));

function print(table: string[][]): void {
  console.log(table.map((row) => row.map((cell, index) => cell.padEnd(index === 0 ? 20 : 11)).join("")).join("\n"));
}
