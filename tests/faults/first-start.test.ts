import { expect, it } from "vitest";
import { stillRunning, withDescendants } from "../support/processes.ts";
import { prepareSite } from "../support/sites/site-process.ts";
import { isSoon, pause } from "./client.ts";
import { byForm } from "./form.ts";
import { processesIn } from "./processes.ts";
import { report } from "./report.ts";

/** What is printed before initdb begins, which takes most of a first start. */
const firstLine = "Creating the database";
const delaysMs = byForm(
  [0, 400, 1200],
  Array.from({ length: 20 }, () => Math.round(Math.random() * 3000)),
);

it.each(delaysMs)("leaves no process behind when it is stopped %i ms into making its database", async (ms) => {
  const site = await prepareSite({}, "empty");
  try {
    site.launch();
    await isSoon(() => site.lines.some((line) => line.startsWith(firstLine)), 30_000);
    await pause(ms);
    const started = await withDescendants(site.pid());
    const asked = Date.now();
    void site.end();
    const hasEnded = await isSoon(() => site.ending() !== undefined, 30_000);
    const seconds = (Date.now() - asked) / 1000;
    // A worker does not work on the folder.
    const whatIsLeft = async () => [...(await processesIn(site.dataDir)), ...(await stillRunning(started))];
    const left = (await isSoon(async () => (await whatIsLeft()).length === 0, 2000)) ? [] : await whatIsLeft();
    const noise = site.lines.filter((line) => /^\s+at /.test(line));
    const late = seconds > 15 ? [`the stop took ${seconds} s`] : [];
    report({
      fault: `SIGTERM ${ms} ms into the first start`,
      complaints: [...late, ...left, ...noise],
      note: `ended in ${seconds} s`,
    });
    expect({ hasEnded, left, noise }).toEqual({ hasEnded: true, left: [], noise: [] });
  } finally {
    // What a failed stop left behind is adopted by the next start, and ends with it.
    if (site.ending()) await site.start();
    await site.stop();
  }
});
