// @ts-check
// What a phone loads and waits for until a page's largest part is displayed. Lighthouse itself is no dependency and takes no signed-in page
// (`npm run bench:web` fetches it for its scores); this is its phone: its network, and a CPU four times as slow.
import { browserFlags, browserThere } from "../../scripts/browser.mjs";
import { absolute } from "../frame/figures.mjs";
import { median } from "../frame/median.mjs";
import { treeOf, untilQuiet } from "../frame/processes.mjs";
import { studentPassword } from "../frame/stage.mjs";
import { signIn } from "../frame/tokens.mjs";
import { measureWire, slowPhone } from "../wire.mjs";

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const browser = browserThere();
  if (browser === undefined) {
    bench.leaveOut("left out: this needs Chromium (Debian: apt-get install chromium)");
    return [];
  }
  const { site, students } = await bench.stage();
  const [starter, buyer] = [students[0], students.at(-1)];
  /** @type {[string, import("../frame/stage.mjs").Student | undefined][]} */
  const pages = [
    ["/auth", undefined],
    ["/payment", buyer],
    ["/student", starter],
  ];
  const figures = [];
  for (const [path, student] of pages) {
    const session = student && (await signIn(site.origin, { email: student.email, password: studentPassword }));
    const stored = session && { "sb-pipwright-auth-token": JSON.stringify(session) };
    const runs = [];
    for (let round = 0; round < bench.rounds; round++) {
      await untilQuiet(treeOf(site.pid));
      runs.push(await measureWire(site.origin + path, browser, browserFlags, { stored, throttled: slowPhone }));
    }
    const seconds = median(runs.map(({ largestPaintMs }) => largestPaintMs)) / 1000;
    const kilobytes = median(runs.map(({ scriptBytes }) => scriptBytes)) / 1000;
    bench.say(`${path}: ${kilobytes.toFixed(0)} kB of script, largest paint ${seconds.toFixed(2)} s`);
    figures.push(absolute(`${path} on a phone: script`, kilobytes, "kB", { atMost: 100 }));
    figures.push(absolute(`${path} on a phone: largest paint`, seconds, "s", { atMost: 1.8 }));
  }
  return figures;
}
