// @ts-check
// Asks two shops the same in turns, and prints what they take and read.
import { median } from "../frame/median.mjs";
import { callsOf } from "./calls.mjs";
import { bigTables, openPlans, readOf } from "./plans.mjs";

const rounds = Number(process.env["BENCH_ROUNDS"] ?? 15);
/** The calls whose names match. */
const only = new RegExp(process.env["BENCH_ONLY"] ?? "");
const line = 3;
/** Below this a ratio is noise. */
const minMs = 2;

/**
 * Returns whether the big shop takes at most three times as long as the small one, by index.
 * @param {import("./shop.mjs").Shop} small
 * @param {import("./shop.mjs").Shop} big
 * @param {(line: string) => void} say
 */
export async function compare(small, big, say) {
  const [smallCalls, bigCalls] = [await chosenCalls(small), await chosenCalls(big)];
  /** @type {Record<string, { small: number, big: number }>} */
  const medians = {};
  for (const [name, path] of Object.entries(smallCalls)) {
    say(name);
    /** @type {[number[], number[]]} */
    const [smallMs, bigMs] = [[], []];
    const bigPath = /** @type {string} */ (bigCalls[name]);
    const limit = equalPages(await small.get(path), await big.get(bigPath));
    for (let round = -2; round < rounds; round++) {
      const pair = [await small.get(path + limit), await big.get(bigPath + limit)];
      // The first rounds fill caches.
      if (round >= 0) [smallMs, bigMs].forEach((all, index) => all.push(/** @type {{ ms: number }} */ (pair[index]).ms));
    }
    medians[name] = { small: median(smallMs), big: median(bigMs) };
  }
  const plansOf = await openPlans(big);
  const tables = await bigTables(big.client);
  let isMet = true;
  const [few, many] = [small, big].map(({ size }) => size.requests.toLocaleString("en"));
  console.log(`${"call".padEnd(44)}${few?.padStart(9)}${many?.padStart(11)}${"ratio".padStart(7)}  reads`);
  for (const [name, path] of Object.entries(bigCalls)) {
    // Connections that were ended fail once.
    await big.get(path).catch(() => big.get(path));
    plansOf();
    await big.get(path);
    const plans = plansOf();
    const { indexes, whole } = readOf(
      plans.map(({ Plan }) => Plan),
      tables,
    );
    const { small: before, big: after } = /** @type {{ small: number, big: number }} */ (medians[name]);
    const ratio = after / Math.max(before, minMs);
    const isWithin = ratio <= line && whole.size === 0 && plans.length > 0;
    isMet &&= isWithin;
    const reads =
      whole.size > 0 ? `WHOLE: ${[...whole].join(" ")}` : [...indexes].filter((index) => !index.endsWith("_pkey")).join(" ");
    console.log(
      `${isWithin ? " " : "!"} ${name.padEnd(42)}${ms(before)}${ms(after).padStart(11)}${ratio.toFixed(2).padStart(7)}  ${reads}`,
    );
    if (process.env["BENCH_PLANS"]) console.log(JSON.stringify(plans, null, 1));
  }
  return isMet;
}

/**
 * Returns the parameter that has the big shop return as few rows as the small one has: beside a full page, the rows would be compared and not the search.
 * @param {import("./shop.mjs").Reply} small
 * @param {import("./shop.mjs").Reply} big
 */
function equalPages(small, big) {
  const [few, many] = [small, big].map(({ body }) => body.items?.length ?? 0);
  // One row at least is read: a search that found nothing in the small shop finds evidence to collect in the big one.
  return few < many ? `&limit=${Math.max(few, 1)}` : "";
}

/** @param {import("./shop.mjs").Shop} shop */
async function chosenCalls({ client }) {
  return Object.fromEntries(Object.entries(await callsOf(client)).filter(([name]) => only.test(name)));
}

/** @param {number} value */
function ms(value) {
  return `${value.toFixed(1)} ms`.padStart(9);
}
