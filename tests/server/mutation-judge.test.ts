import { join } from "node:path";
import { expect, it } from "vitest";
import { forgetSurvivors, judge } from "../../scripts/mutation/judge.mjs";

const part = { name: "domain", files: {}, tests: [], threshold: 50, needsDatabase: false };
const judged = ["Killed", "Timeout", "Ignored"];
const unjudged = ["Survived", "NoCoverage", "RuntimeError", "CompileError", "Pending"];
const mutants = (statuses: string[]) =>
  statuses.map((status) => ({
    fileName: join(import.meta.dirname, "../../src/domain/money.ts"),
    location: { start: { line: 7 } },
    mutatorName: "Boundary",
    replacement: "<=",
    status,
  }));

it("a part is good where each mutant was killed, took too long or has a reason", () => {
  const { isGood, line, notes } = judge(part, mutants(["Killed", ...judged]));
  expect(isGood).toBe(true);
  expect(line).toBe(" 75.0 %         3           1          0   domain");
  expect(notes).toEqual(["  src/domain/money.ts:7 took too long, so it counts as killed: <="]);
});

it.each(unjudged)("a mutant that ended as %s is a survivor", (status) => {
  const { isGood, line, notes } = judge(part, mutants(["Killed", "Killed", "Killed", status]));
  expect(isGood).toBe(false);
  expect(line).toBe(" 75.0 %         3           0          1   domain");
  expect(notes).toEqual([`  src/domain/money.ts:7 Boundary (${status}): <=`]);
});

it("every survivor is tried again in the next run", () => {
  const report = { files: { "src/domain/money.ts": { mutants: mutants([...judged, ...unjudged]) } } };
  expect(forgetSurvivors(report)).toEqual({ files: { "src/domain/money.ts": { mutants: mutants(judged) } } });
});
