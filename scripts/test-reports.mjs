// @ts-check
// What the reports of Vitest and Playwright say: how many tests passed or were skipped, and which failed, with the reason.
import { existsSync, readFileSync } from "node:fs";
import { relative } from "node:path";
import { stripVTControlCharacters } from "node:util";
import { projectDir } from "./install.mjs";

/** @typedef {{ passed: number, skipped: number, failures: string[] }} Outcome failures: the file, the name and the reason of each test that failed */
/** @typedef {{ fullName: string, status: string, failureMessages?: string[] }} VitestTest */
/** @typedef {{ name: string, status: string, message?: string, assertionResults: VitestTest[] }} VitestFile a file that cannot be loaded fails without tests */
/** @typedef {{ message?: string, location?: { line: number } }} JourneyError */
/** @typedef {{ title: string, file: string, line: number, tests: { status: string, results: { errors: JourneyError[] }[] }[] }} Spec */
/** @typedef {{ specs?: Spec[], suites?: Suite[] }} Suite */

/** @param {string} file @returns {Outcome} */
export function readVitest(file) {
  /** @type {{ numPassedTests: number, numPendingTests: number, testResults: VitestFile[] } | undefined} */
  const report = readReport(file);
  return {
    passed: report?.numPassedTests ?? 0,
    skipped: report?.numPendingTests ?? 0,
    failures: report?.testResults.flatMap(failuresOf) ?? [],
  };
}

/** @param {VitestFile} file */
function failuresOf({ name, status, message = "", assertionResults }) {
  const path = relative(projectDir, name);
  const failed = assertionResults
    .filter((test) => test.status === "failed")
    .map(({ fullName, failureMessages = [] }) => `${path}: ${fullName}${startOf(failureMessages.join("\n"))}`);
  return status === "failed" && failed.length === 0 ? [`${path}${startOf(message)}`] : failed;
}

/** @param {string} file @returns {Outcome} */
export function readJourneys(file) {
  /** @type {{ suites: Suite[], stats: { expected: number, flaky: number, skipped: number } } | undefined} */
  const report = readReport(file);
  const failed = report?.suites.flatMap(specsOf).filter(({ tests }) => tests.some(({ status }) => status === "unexpected"));
  return {
    passed: (report?.stats.expected ?? 0) + (report?.stats.flaky ?? 0),
    skipped: report?.stats.skipped ?? 0,
    failures: failed?.map((spec) => `${spec.file}:${spec.line}: ${spec.title}${startOf(messagesOf(spec).join("\n"))}`) ?? [],
  };
}

/** @param {Spec} spec */
function messagesOf({ tests }) {
  return tests.flatMap(({ results }) =>
    results.flatMap(({ errors }) => errors.map(({ message = "", location }) => `Line ${location?.line}: ${message}`)),
  );
}

/**
 * The first lines of what a test failed with, indented: what a log that keeps only its end would otherwise lose.
 * @param {string} message
 */
function startOf(message) {
  const lines = stripVTControlCharacters(message).split("\n");
  const said = lines.filter((line) => line.trim() !== "" && !line.includes("/node_modules/")).slice(0, 12);
  return said.map((line) => `\n    ${line}`).join("");
}

/** @param {Suite} suite @returns {Spec[]} */
function specsOf({ specs = [], suites = [] }) {
  return [...specs, ...suites.flatMap(specsOf)];
}

/** @param {string} file */
function readReport(file) {
  return existsSync(file) ? JSON.parse(readFileSync(file, "utf8")) : undefined;
}
