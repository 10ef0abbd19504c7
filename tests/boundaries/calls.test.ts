import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { AnyContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { contract } from "#domain/api/contract";

/** What the tests of all calls must have of each one, read from their text: they need a database and run in `npm test` alone. */
const sources = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src/server"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /(?<!\.(?:test|suite))\.ts$/.test(file) && existsSync(file));
const textOf = (...names: string[]): string => names.map((file) => readFileSync(file, "utf8")).join("\n");
const all = (text: string, form: RegExp): string[] => [...text.matchAll(form)].map((match) => match[1]!);

const routes = new Map<string, { method?: string; path?: string }>(
  Object.entries(contract).flatMap(([part, calls]) =>
    Object.entries(calls).map(([name, call]: [string, AnyContractProcedure]) => [`${part}.${name}`, call["~orpc"].route]),
  ),
);

/** Admin routes that are no GET and add no entry, and why. Uploads are audited by the call that uses the file. */
const unaudited: Record<string, string> = {
  "POST /api/export/{name}/link": "makes a link; the export that it opens is audited",
  "POST /api/payment-requests/{id}/check":
    "looks at the chain again; the facts are evidence, which the decision is audited with",
};

it("audits a sample, or has a reason, for every call of the admin that is no GET", () => {
  const names = all(textOf(...sources), /\bfor\w*Admin\w*\s*\.(\w+\s*\.\w+)\s*\.handler\(/g);
  const ofAdmin = names.map((name) => routes.get(name.replace(/\s/g, ""))!);
  const changing = ofAdmin.filter(({ method }) => method !== "GET").map(({ method, path }) => `${method} ${path}`);
  expect(changing).toContain("POST /api/coupons");
  const samples = all(textOf("tests/server/audited-calls.test.ts"), /^ {2}"([A-Z]+ \/\S+)":/gm);
  expect([...samples, ...Object.keys(unaudited)].toSorted()).toEqual(changing.toSorted());
});

it("sends hostile requests to every route outside the contract with a literal path", () => {
  const registered = all(textOf(...sources), /\b(?:app|scope)\.(?:get|post|put|patch|delete)(?:<.*>)?\(\s*["`]([^"`$]+)/g);
  expect(registered).toContain("/unsubscribe");
  const attacked = textOf("tests/support/attacks/routes.ts", "tests/support/contract/calls.ts");
  const isAttacked = (path: string): boolean => {
    const name = path.replaceAll(".", String.raw`\.`).replace(/:(\w+)/g, "[:{]$1}?");
    return new RegExp(`["\`]${name}${path.endsWith("/") ? "" : '["`]'}`).test(attacked);
  };
  expect(registered.filter((path) => !isAttacked(path))).toEqual([]);
});

it("calls nothing in a test or a bench that is gone from the API", () => {
  const listed = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src", "tests", "bench"], { encoding: "utf8" });
  const callers = listed
    .split("\n")
    .filter((file) => /^(?:tests|bench)\/.*\.(?:ts|mjs)$|\.test\.tsx?$/.test(file) && existsSync(file));
  const called = callers.flatMap((file) =>
    all(textOf(file), /(?:"[A-Z]+",\s*["`]|\*\*)\/api\/([\w.-]+)/g).map((part) => ({ file, part })),
  );
  const paths = [...[...routes.values()].map(({ path = "" }) => path), ...all(textOf(...sources), /["`](\/api\/[\w.-]+)/g)];
  const parts = new Set(paths.map((path) => path.split("/")[2]));
  expect(called.length).toBeGreaterThan(500);
  const gone = called.filter(({ part }) => !parts.has(part));
  expect(gone, "Calls below /api/ that nothing in src/server answers").toEqual([]);
});

it("has parameters that exist for every GET of a thing in head.test.ts", () => {
  const things = [...routes.values()].flatMap(({ method, path = "" }) =>
    method === "GET" && path.includes("{") ? [path] : [],
  );
  const rows = textOf("tests/server/head.test.ts").matchAll(/path\.startsWith\("([^"]+)"\)\) return (.*);/g);
  const filled = [...rows].map(([, start, value]) => ({ start: start!, names: all(value!, /(\{\w+\})/g) }));
  // Of the last line there, which every other path comes to.
  filled.push({ start: "/api/payment-requests/", names: ["{id}"] }, { start: "", names: ["{coin}"] });
  const isFilled = (path: string): boolean => {
    const names = filled.find(({ start }) => path.startsWith(start))!.names;
    return all(path, /(\{\w+\})/g).every((name) => names.includes(name));
  };
  expect(things).toContain("/api/users/{id}");
  const unfilled = things.filter((path) => !isFilled(path));
  expect(unfilled, "Paths whose {…} `filled` of tests/server/head.test.ts does not replace by something that exists").toEqual(
    [],
  );
});

/** Consumed by one call alone, after another limit is used up: `sign-in.test.ts` has what it does. */
const afterAnotherLimit = ["audited-sign-in-limited"];

it("has the limits on callers in rate-limits.test.ts, and no others", () => {
  // Those in platform/chain are what the site itself may ask of outside services.
  const limiting = sources.filter((file) => !file.includes("platform/chain/"));
  const limits = all(textOf(...limiting), /\bname: "([a-z-]+)", points: /g).filter((name) => !afterAnotherLimit.includes(name));
  const counted = new Set(all(textOf("tests/server/rate-limits.test.ts"), /"([a-z-]+): \d+ in \d+ s/g));
  expect([...counted].toSorted()).toEqual(limits.toSorted());
});
