// @ts-check
import { giveUp } from "./install.mjs";

/**
 * Returns the number that an option says. Ends the run where it is none above `least`: a run of no time puts no fault, and would end well.
 * @param {number} least @param {string} option @param {string} text
 */
export function numberAbove(least, option, text) {
  const number = Number(text);
  if (!Number.isFinite(number) || number <= least) giveUp(`${option} must be a number above ${least}, not "${text}".`);
  return number;
}

/** The same of a whole number, such as a count of runs. @param {number} least @param {string} option @param {string} text */
export function wholeNumberAbove(least, option, text) {
  const number = numberAbove(least, option, text);
  if (!Number.isInteger(number)) giveUp(`${option} must be a whole number, not "${text}".`);
  return number;
}
