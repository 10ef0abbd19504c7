import { readFileSync } from "node:fs";
import { afterAll, beforeAll, expect, it } from "vitest";
import { startApp, type TestApp } from "../support/app.ts";

/** What `/metrics` has, with the series that PromQL makes of a histogram. */
let metrics: Set<string>;
let app: TestApp;
beforeAll(async () => {
  app = await startApp();
  await fetch(`${app.url}/healthz`);
  const text = await (await fetch(`${app.url}/metrics`)).text();
  const typed = [...text.matchAll(/^# TYPE (\w+) (\w+)$/gm)].map(([, name = "", type]) => ({ name, type }));
  metrics = new Set(
    typed.flatMap(({ name, type }) => (type === "histogram" ? ["_bucket", "_count", "_sum"].map((end) => name + end) : [name])),
  );
});
afterAll(() => app?.close());

interface Panel {
  title: string;
  targets: { expr: string }[];
}
const { panels } = JSON.parse(readFileSync("deploy/grafana.json", "utf8")) as { panels: Panel[] };

/** What Prometheus itself adds to each target. */
const ofPrometheus = ["up"];

/** The metrics of an expression of PromQL: names in front of braces. Every one has braces, for the job. */
const metricsIn = (expression: string): string[] => [...expression.matchAll(/\b([a-z]\w*)\{/g)].map(([, name]) => name!);

it("has panels for requests, mails, webhooks, backups and the process", () => {
  const all = panels.flatMap(({ targets }) => targets.flatMap(({ expr }) => metricsIn(expr)));
  expect(all).toEqual(expect.arrayContaining(["http_request_duration_seconds_count", "process_resident_memory_bytes"]));
  for (const name of ["mail_failures", "webhook_failures", "backup_age_seconds"]) expect(all).toContain(name);
});

it.each(panels)("names in the panel $title only metrics that exist", ({ targets }) => {
  for (const { expr } of targets) {
    expect(metricsIn(expr).length, expr).toBeGreaterThan(0);
    expect(metricsIn(expr).filter((name) => !metrics.has(name) && !ofPrometheus.includes(name))).toEqual([]);
  }
});

// A counter with labels begins at 1, and `increase` sees only what comes after. A failed scrape marks every series as ended, until the next one.
it("counts what increases from its first time on", () => {
  const counting = panels.flatMap(({ targets }) => targets.filter(({ expr }) => expr.includes("increase(")));
  expect(counting).toHaveLength(1);
  for (const { expr } of counting)
    expect(expr).toMatch(
      /increase\(.* and last_over_time\(.*\[10m\] offset 1h\).* unless last_over_time\(.*\[10m\] offset 1h\)/,
    );
});

it("names in docs/operations.md only metrics that exist", () => {
  const rows = readFileSync("docs/operations.md", "utf8").matchAll(/^\| (`[a-z]+_[a-z_]+(?:\{[^`]*\})?`.*?) +\|/gm);
  const named = [...rows].flatMap(([, cell = ""]) => [...cell.matchAll(/`(\w+)/g)].map(([, name]) => name!));
  expect(named).toContain("mail_failures");
  expect(named.filter((name) => !metrics.has(name))).toEqual([]);
});
