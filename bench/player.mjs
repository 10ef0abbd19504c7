// @ts-check
// Serves the built product on a scratch folder with films of 1 GB whose index stands at their end, one after another, and measures in Chromium, on a
// line of 10 Mbit/s and 50 ms, what a student waits after "Watch Now", and how far another device is from where the film was left:
//   npm run build && node bench/player.mjs
// It needs Debian's packages ffmpeg and chromium, and 4 GB of disk for each film. BENCH_RUNS sets how often (5), BENCH_MB the size (1000), BENCH_MINUTES the
// durations (17,27,60,120): the longer a film of this size, the longer its index, which a browser reads before the first frame unless the film has fragments.
import { rmSync } from "node:fs";
import { startBrowser, until } from "./devtools.mjs";
import { exitOnSignal, openBench } from "./frame/bench.mjs";
import { median } from "./frame/median.mjs";
import { signIn } from "./frame/tokens.mjs";
import { uploadFilm } from "./frame/tus.mjs";
import { makeLongFilm } from "./long-film.mjs";
import { mailboxToken, startSite } from "./site.mjs";

const runs = Number(process.env["BENCH_RUNS"] ?? 5);
const megabytes = Number(process.env["BENCH_MB"] ?? 1000);
// On this line a film of 17 minutes, which has 8 Mbit/s, still plays without a stop.
const durations = (process.env["BENCH_MINUTES"] ?? "17,27,60,120").split(",").map(Number);
const targets = { firstFrameMs: 1500, offSeconds: 2 };
const network = { offline: false, latency: 50, downloadThroughput: 10e6 / 8, uploadThroughput: 10e6 / 8 };

const admin = { email: "owner@example.com", password: "a long admin password" };
const student = { email: "student@example.com", password: "a fine long password" };
const bench = openBench({ quick: false, rounds: runs, say: (line) => console.log(line) });
exitOnSignal(bench);
const starting = startSite({ ADMIN_EMAIL: admin.email, ADMIN_PASSWORD: admin.password });
bench.atEnd(async () => (await starting).stop());
const site = await starting;
const { origin } = site;

/** In every tab: when something was clicked and when the first picture of a film was there, in milliseconds since 1970. */
const clock = `
  addEventListener("click", ({ timeStamp }) => (window.clickedAt = performance.timeOrigin + timeStamp), true);
  new MutationObserver((_, watch) => {
    const video = document.querySelector("video");
    if (!video) return;
    watch.disconnect();
    const see = (now, { mediaTime }) => {
      // The page hides a picture that comes before the one at the position.
      if (Math.abs(mediaTime - video.currentTime) > 2) video.requestVideoFrameCallback(see);
      else window.first = { at: performance.timeOrigin + now, mediaTime, plays: !video.paused };
    };
    video.requestVideoFrameCallback(see);
  }).observe(document, { childList: true, subtree: true });`;

try {
  await call("POST", "/auth/v1/signup", { ...student, data: { full_name: "Student" } });
  const session = await signIn(origin, student);
  await call(
    "POST",
    "/functions/v1/send-verification-email",
    { email: student.email, fullName: "Student" },
    session.access_token,
  );
  const code = await until(newestCode);
  await call("POST", "/functions/v1/verify-email", { code }, session.access_token);

  for (const minutes of durations) {
    const id = await addLesson(minutes);
    await benchLesson(id);
    await call("DELETE", `/api/videos/${id}`, undefined, (await signIn(origin, admin)).access_token);
  }
} finally {
  await bench.close();
}

/** @param {string} id */
async function benchLesson(id) {
  const browser = startBrowser(network, clock);
  bench.atEnd(browser.stop);
  await browser.ready();
  try {
    const found = [];
    for (let run = 1; run <= runs; run++) found.push(await measure(browser, id, run));
    report(
      "Watch Now to the first frame, ms",
      found.map(({ firstMs }) => firstMs),
      targets.firstFrameMs,
    );
    report(
      "The same where it was left in the middle, ms",
      found.map(({ resumeMs }) => resumeMs),
    );
    report(
      "Another device is off by, s",
      found.map(({ offSeconds }) => offSeconds),
      targets.offSeconds,
    );
    console.log(`  plays without another click: ${found.filter(({ plays }) => plays).length} of ${found.length}`);
  } finally {
    await browser.stop();
  }
}

/** @param {ReturnType<typeof startBrowser>} browser @param {string} id @param {number} run */
async function measure(browser, id, run) {
  const here = await watchNow(browser);
  // Nothing is saved before: the first run begins at the beginning, and so does each that follows.
  await browser.evaluate(here.tab, `document.querySelector("video").muted = true; document.querySelector("video").play()`);
  await browser.evaluate(
    here.tab,
    `document.querySelector("video").currentTime = document.querySelector("video").duration / 2`,
  );
  const left = await until(async () => {
    const { time, ready } = await browser.evaluate(
      here.tab,
      `({ time: document.querySelector("video").currentTime - document.querySelector("video").duration / 2, ready: document.querySelector("video").readyState })`,
    );
    return time > 3 && ready > 2 ? browser.evaluate(here.tab, `document.querySelector("video").currentTime`) : undefined;
  });
  await browser.call("Target.closeTarget", { targetId: here.tab.targetId });
  const { access_token } = await signIn(origin, student);
  await until(async () => {
    const [{ progress }] = (await call("GET", "/api/videos", undefined, access_token)).items;
    return progress.position_seconds >= left - targets.offSeconds || undefined;
  });
  const there = await watchNow(browser);
  const off = Math.abs(there.mediaTime - left);
  await browser.call("Target.closeTarget", { targetId: there.tab.targetId });
  const place = { position_seconds: 0, duration_seconds: 1, done: false };
  await call("PUT", `/api/videos/${id}/progress`, place, access_token);
  console.log(`  run ${run}: ${here.ms} ms, in the middle ${there.ms} ms, off by ${off.toFixed(2)} s`);
  return { firstMs: here.ms, resumeMs: there.ms, offSeconds: off, plays: here.plays };
}

/** Signs in on a new device, opens the dashboard, presses "Watch Now", and waits for the first frame. @param {ReturnType<typeof startBrowser>} browser */
async function watchNow(browser) {
  const session = await signIn(origin, student);
  const dashboard = await browser.open();
  await browser.call("Page.navigate", { url: `${origin}/robots.txt` }, dashboard.sessionId);
  await until(() => browser.evaluate(dashboard, `location.pathname === "/robots.txt" || undefined`));
  const stored = JSON.stringify(JSON.stringify(session));
  await browser.evaluate(dashboard, `localStorage.setItem("sb-pipwright-auth-token", ${stored})`);
  await browser.call("Page.navigate", { url: `${origin}/student` }, dashboard.sessionId);
  const button = `[...document.querySelectorAll("button")].find(({ textContent }) => textContent === "Watch Now")`;
  const place = await until(() =>
    browser.evaluate(
      dashboard,
      `(() => {
        const button = ${button};
        if (!button) return undefined;
        button.scrollIntoView({ block: "center", behavior: "instant" });
        const { left, top, width, height } = button.getBoundingClientRect();
        return { x: left + width / 2, y: top + height / 2 };
      })()`,
    ),
  );
  const press = { ...place, button: "left", clickCount: 1 };
  const tab = await browser.opened(async () => {
    await browser.call("Input.dispatchMouseEvent", { type: "mousePressed", ...press }, dashboard.sessionId);
    await browser.call("Input.dispatchMouseEvent", { type: "mouseReleased", ...press }, dashboard.sessionId);
  });
  const first = await until(() => browser.evaluate(tab, "window.first").catch(() => undefined));
  const clickedAt = await browser.evaluate(dashboard, "window.clickedAt");
  return { tab, ms: Math.round(first.at - clickedAt), mediaTime: first.mediaTime, plays: first.plays };
}

/** @param {string} name @param {number[]} values @param {number} [target] */
function report(name, values, target) {
  const middle = median(values);
  const [least, most] = [Math.min(...values), Math.max(...values)];
  const verdict = target === undefined ? "" : `, under ${target}: ${middle < target ? "met" : "NOT MET"}`;
  console.log(`${name}: median ${round(middle)} of ${values.length} (${round(least)} to ${round(most)})${verdict}`);
}

/** @param {number} value */
function round(value) {
  return value > 100 ? Math.round(value) : Number(value.toFixed(2));
}

/** Adds a film as a lesson and waits until its index stands at the front (FILE-12); returns the lesson's id. @param {number} minutes */
async function addLesson(minutes) {
  const film = await makeLongFilm(site.folder, { megabytes, minutes }, bench.closing);
  const { access_token } = await signIn(origin, admin);
  const upload_id = await uploadFilm(origin, access_token, film);
  rmSync(film);
  const lesson = { title: "Lesson", description: "D", module: "M", order_index: 1, package_type: "both" };
  const { id } = await call("POST", "/api/videos", { ...lesson, upload_id }, access_token);
  const began = Date.now();
  await until(
    async () => (await call("GET", "/api/videos", undefined, access_token)).items[0].playability === "plays" || undefined,
  );
  console.log(`Its index stood at the front ${((Date.now() - began) / 1000).toFixed(1)} s after the upload.`);
  return id;
}

async function newestCode() {
  const mails = await (await fetch(`${origin}/mailbox.json?to=${student.email}&token=${mailboxToken}`)).json();
  return mails.map((/** @type {{ text: string }} */ { text }) => /\b\d{6}\b/.exec(text)?.[0]).find(Boolean);
}

/** @param {string} method @param {string} path @param {unknown} [body] @param {string} [token] @returns {Promise<any>} */
async function call(method, path, body, token) {
  const reply = await fetch(origin + path, {
    method,
    headers: {
      ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
      ...(body === undefined ? {} : { "content-type": "application/json" }),
    },
    ...(body === undefined ? {} : { body: JSON.stringify(body) }),
  });
  if (!reply.ok) throw new Error(`${method} ${path} answered ${reply.status}: ${await reply.text()}`);
  return reply.json();
}
