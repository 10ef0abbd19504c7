import { execFileSync } from "node:child_process";
import { existsSync, readFileSync } from "node:fs";
import type { AnyContractProcedure } from "@orpc/contract";
import { expect, it } from "vitest";
import { contract } from "#domain/api/contract";
import { eventTopics } from "#domain/api/events";
import { fieldTexts } from "#domain/errors/field-texts";
import { errors } from "#domain/errors/messages";
import { optionalMailKinds } from "#domain/mail-choices";
import { texts } from "#domain/texts/texts";
import { parts } from "../../scripts/mutation/parts.mjs";

/** Steps of the recipes in CONTRIBUTING.md that the compiler does not enforce. Git lists a deleted file until it is staged. */
const files = execFileSync("git", ["ls-files", "-co", "--exclude-standard", "src", "tests", "migrations"], { encoding: "utf8" })
  .split("\n")
  .filter((file) => /\.(tsx?|sql)$/.test(file) && existsSync(file));
const isTest = (file: string): boolean => file.startsWith("tests/") || /\.test\.tsx?$/.test(file);
const textOf = (names: string[]): string => names.map((file) => readFileSync(file, "utf8")).join("\n");

const sources = files.filter((file) => file.startsWith("src/") && !isTest(file));
const rules = [...readFileSync("docs/product.md", "utf8").matchAll(/^- \*\*([A-Z]+-\d+)\*\*/gm)].map((match) => match[1]!);

/** The number of the last rule of each group. */
const lastOf = (ids: string): Record<string, number> =>
  Object.fromEntries(ids.split(" ").map((last) => [last.replace(/-.*/, ""), Number(last.replace(/.*-/, ""))]));

/** The last rule of each group in 0.1.0, whose changelog names none; a release brings this up to date. */
const releasedRules = lastOf(
  "ACCESS-6 ACCOUNT-8 VERIFY-5 SESSION-5 PACKAGE-4 QUOTE-6 COUPON-3 PAY-8 DECIDE-6 WALLET-3 ADMIN-4 FILE-9 VIDEO-5 LIVE-2 MAIL-5 " +
    "KEEP-1 RUN-5 TEXT-3 DEMO-2 LANDING-1",
);

/** The last rule of each newer group that the changelog may name by its group alone. It gains none: a later rule is named by its id. */
const namedByGroup = lastOf(
  "CONTACT-2 KEYS-6 FACTOR-6 OWN-4 EVIDENCE-6 REVIEW-7 CHAIN-7 PRICE-6 GUARD-5 AUDIT-6 LIST-6 USER-6 STATS-9 EXPORT-4 LIVESESSION-8 " +
    "NEWS-5 WEBHOOK-5 BACKUP-6",
);

it("has a test of its own for every call of the contract", () => {
  const ofAllCalls = /\/(?:access|audited-calls|rate-limits)\.test\.ts$/;
  const tests = textOf(files.filter((file) => isTest(file) && !ofAllCalls.test(file)));
  const routes = Object.values(contract).flatMap((part) =>
    Object.values(part).map((procedure: AnyContractProcedure) => procedure["~orpc"].route),
  );
  const untested = routes.filter(({ method, path = "" }) => {
    const address = path.replace(/\{\w+\}/g, "[^\"'`/?]+");
    const called = [...tests.matchAll(new RegExp(`"${method}",\\s*["'\`](${address})["'\`?]`, "g"))].map((match) => match[1]!);
    // "/api/news/reach" is a call of its own, and no test of "/api/news/{id}".
    return !called.some((found) => found === path || !routes.some((other) => other.method === method && other.path === found));
  });
  expect(routes.length).toBeGreaterThan(20);
  const lacking = untested.map(({ method, path }) => `${method} ${path}`);
  expect(lacking, 'Calls without a test through HTTP, `call("METHOD", "/api/…")`: write one beside the feature').toEqual([]);
});

it("throws or reports every error of the catalogue, and every text about a field", () => {
  const elsewhere = textOf(sources.filter((file) => !/^src\/domain\/errors\/(?:messages|field-texts)\.ts$/.test(file)));
  const codes = Object.keys({ ...errors, ...fieldTexts });
  expect(codes.filter((code) => !new RegExp(`["'\`.]${code}\\b|^\\s+${code}:`, "m").test(elsewhere))).toEqual([]);
});

it("finds every fault that a payment method has a text for", () => {
  const tables = sources.filter((file) => /^src\/domain\/payment-methods\/[\w-]+\/texts\.ts$/.test(file));
  const unused = tables.flatMap((table) => {
    const folder = table.replace(/texts\.ts$/, "");
    const elsewhere = textOf(sources.filter((file) => file.startsWith(folder) && file !== table));
    const faults = [...textOf([table]).matchAll(/^ {2}(\w+):/gm)].map((match) => match[1]!);
    expect(faults, table).not.toEqual([]);
    return faults.filter((fault) => !elsewhere.includes(`"${fault}"`)).map((fault) => `${table}: ${fault}`);
  });
  expect(unused).toEqual([]);
});

it("uses every text of the catalogue on a screen", () => {
  const screens = textOf(sources.filter((file) => file.startsWith("src/web/")));
  const names = Object.entries(texts).flatMap(([screen, own]) => Object.keys(own).map((name) => `${screen}.${name}`));
  expect(names.filter((name) => !screens.includes(`texts.${name}`))).toEqual([]);
});

it("uses every table of the schema, and every topic of events on a screen", () => {
  const isOfSchema = (file: string): boolean => file.startsWith("src/server/platform/db/schema/");
  const [schema, elsewhere] = [true, false].map((is) =>
    textOf(sources.filter((file) => file.startsWith("src/server/") && isOfSchema(file) === is)),
  ) as [string, string];
  const tables = [...schema.matchAll(/^export const (\w+) = pgTable\(/gm)].map((match) => match[1]!);
  expect(tables.length).toBeGreaterThan(50);
  expect(tables.filter((table) => !new RegExp(`\\b${table}\\b`).test(elsewhere))).toEqual([]);
  const screens = textOf(sources.filter((file) => file.startsWith("src/web/")));
  const followed = [...screens.matchAll(/\bstaleAfter: [^\]]*\](?: : \[[^\]]*\])?/g)].join(" ");
  expect(eventTopics.filter((topic) => !followed.includes(`"${topic}"`))).toEqual([]);
});

it("mails every kind of mail that a student can turn off", () => {
  const mailing = sources.filter((file) => /^src\/server\/features\/(?!mail-choices\/)/.test(file));
  expect(optionalMailKinds.filter((kind) => !textOf(mailing).includes(`"${kind}"`))).toEqual([]);
});

it("mutates only files that are there", () => {
  const words = (pattern: string): string[] => {
    const braces = /\{([^{}]*)\}/.exec(pattern);
    return braces ? braces[1]!.split(",").flatMap((word) => words(pattern.replace(braces[0], word))) : [pattern];
  };
  const regExpOf: Record<string, string> = { "**/": "(?:.+/)?", "*": "[^/]*", ".": "\\." };
  const isThere = (pattern: string): boolean => {
    const form = pattern.replace(/^!/, "").replace(/\*\*\/|[*.]/g, (sign) => regExpOf[sign]!);
    return files.some((file) => new RegExp(`^${form}$`).test(file));
  };
  const patterns = parts.flatMap(({ files: mutated, tests }) => [...Object.keys(mutated), ...tests]).flatMap(words);
  expect(patterns.length).toBeGreaterThan(100);
  expect(patterns.filter((pattern) => !isThere(pattern))).toEqual([]);
});

it("cites a rule of docs/product.md in every server feature and payment method", () => {
  const rooms = sources.map((file) => /^src\/(?:server\/features|domain\/payment-methods)\/[^/]+(?=\/)/.exec(file)?.[0]);
  const withoutRule = [...new Set(rooms)]
    .filter((room) => room !== undefined)
    .filter((room) => {
      const text = textOf(sources.filter((file) => file.startsWith(`${room}/`)));
      return !rules.some((id) => new RegExp(`\\b${id}\\b`).test(text));
    });
  expect(withoutRule).toEqual([]);
});

it("cites every rule of docs/product.md in the code or its tests", () => {
  const everything = textOf(files.filter((file) => !file.startsWith("tests/boundaries/")));
  expect(rules.filter((id) => !new RegExp(`\\b${id}\\b`).test(everything))).toEqual([]);
});

const added = rules.filter((id) => Number(id.replace(/.*-/, "")) > (releasedRules[id.replace(/-.*/, "")] ?? 0));

it("cites each rule that is newer than 0.1.0 above its tests", () => {
  const tests = textOf(files.filter((file) => isTest(file) && !file.startsWith("tests/boundaries/")));
  expect(added.filter((id) => !new RegExp(`\\b${id}\\b`).test(tests))).toEqual([]);
});

it("names each new and removed rule in the changelog", () => {
  const changelog = readFileSync("CHANGELOG.md", "utf8");
  const released = Object.entries(releasedRules).flatMap(([group, last]) =>
    Array.from({ length: last }, (_, index) => `${group}-${index + 1}`),
  );
  const isNamed = (id: string): boolean => {
    const [group, number] = id.split("-") as [string, string];
    const name = Number(number) <= (namedByGroup[group] ?? 0) ? group : id;
    return new RegExp(`\\b${name}\\b`).test(changelog);
  };
  const removed = released.filter((id) => !rules.includes(id));
  const unnamed = [...added, ...removed].filter((id) => !isNamed(id));
  expect(unnamed, "Rules that CHANGELOG.md does not name: say what changed, with the id in brackets behind it").toEqual([]);
});

it("has the same pages in router, server, shells, robots.txt and screens", () => {
  const all = (file: string, form: RegExp): string[] => [...textOf([file]).matchAll(form)].map((match) => match[1]!);
  const router = "src/web/router.tsx";
  const paths = all(router, /\bpath: "([^"*]+)"/g).filter((path) => path !== "styleguide");
  const areas = [...new Set(paths.map((path) => path.split("/")[0]!))].toSorted();
  const pages = all(router, /"\.\/(features\/[\w-]+\/page\.tsx)"/g).filter((page) => !/landing|styleguide/.test(page));
  const screens = files.filter((file) => file.startsWith("tests/support/screens/"));
  const opened = new Set(screens.flatMap((file) => all(file, /goto\(["`]\/([\w-]+)/g)));
  for (const other of ["no-such-page", "mailbox", "storage", "favicon"]) opened.delete(other);

  expect(paths).toContain("student/receipts/:id");
  const served = all("src/server/platform/http/pages/web-app.ts", /route: "\/([^"]+)", file: "[\w-]+\.html"/g);
  expect(served.toSorted()).toEqual(paths.toSorted());
  expect(all("scripts/shell-pages.mjs", /"(features\/[\w-]+\/page\.tsx)"/g).toSorted()).toEqual(pages.toSorted());
  const crawled = [
    ...all("src/web/public/robots.txt", /^Disallow: \/(?!api)([\w-]+)/gm),
    ...all("src/web/public/sitemap.xml", /%ORIGIN%\/([\w-]+)</g),
  ];
  expect(crawled.toSorted()).toEqual(areas);
  expect([...opened].toSorted()).toEqual(areas);
  // An address with a value in it, `/watch/${id}`, is of the path that has a parameter there.
  const addresses = screens.flatMap((file) => all(file, /(?:goto\(|return |=> )["`]\/([^"`?#]+)/g));
  const isOpened = (path: string): boolean =>
    addresses.some((address) => {
      // An address that is a page's own path opens no page that has a parameter there.
      if (paths.includes(address)) return address === path;
      const segments = address.replace(/\$\{[^}]*\}/g, ":value").split("/");
      const own = path.split("/");
      return own.length === segments.length && own.every((part, at) => part.startsWith(":") || part === segments[at]);
    });
  const unseen = paths.filter((path) => !isOpened(path));
  expect(unseen, "Pages of router.tsx that no screen opens: add one to tests/support/screens, with goto(`/…`)").toEqual([]);
  const permitted = /\*\*ACCESS-1\*\*[^]*?(?=\n- )/.exec(textOf(["docs/product.md"]))?.[0] ?? "";
  const accessible = new Set([...permitted.matchAll(/`\/([\w-]+)`/g)].map((match) => match[1]!));
  expect([...accessible].toSorted()).toEqual(areas);
});
