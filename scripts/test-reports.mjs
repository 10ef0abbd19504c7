// @ts-check
// What the reports of Vitest and Playwright say: how many tests passed, and which failed.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { projectDir } from "./install.mjs";

/** @typedef {{ passed: number, failures: string[] }} Outcome failures: the file and the name of each test that failed */
/** @typedef {{ fullName: string, status: string }} VitestTest */
/** @typedef {{ name: string, status: string, assertionResults: VitestTest[] }} VitestFile a file that cannot be loaded fails without tests */
/** @typedef {{ title: string, file: string, line: number, tests: { status: string }[] }} Spec */
/** @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite */

/** @param {string} file @returns {Outcome} */
export function readVitest(file) {
  /** @type {{ numPassedTests: number, testResults: VitestFile[] } | undefined} */
  const report = readReport(file);
  return { passed: report?.numPassedTests ?? 0, failures: report?.testResults.flatMap(failuresOf) ?? [] };
}

/** @param {VitestFile} file */
function failuresOf({ name, status, assertionResults }) {
  const path = relative(projectDir, name);
  const failed = assertionResults.filter((test) => test.status === "failed").map((test) => `${path}: ${test.fullName}`);
  return status === "failed" && failed.length === 0 ? [path] : failed;
}

/** @param {string} file @returns {Outcome} */
export function readJourneys(file) {
  /** @type {{ suites: Suite[], stats: { expected: number, flaky: number } } | undefined} */
  const report = readReport(file);
  const failed = report?.suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === "unexpected"));
  return {
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    failures: failed?.map(({ file: path, line, title }) => `${path}:${line}: ${title}`) ?? [],
  };
}

/** @param {Suite} suite @returns {Spec[]} */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
