// @ts-check
import { chromium } from "@playwright/test";

/** Lighthouse's phone, as DevTools applies it: 150 ms and 1.6 Mbit/s, a quarter of this CPU. */
export const slowPhone = {
  network: { offline: false, latency: 562.5, downloadThroughput: 1474.56e3 / 8, uploadThroughput: 675e3 / 8 },
  cpuRate: 4,
};

/**
 * What a page loads before anybody touches it, as the browser itself sees it: scripts as they are compressed, and everything over
 * the wire, headers included; and when its largest part was painted. `stored` is put into the page's localStorage before it runs.
 * @param {string} url @param {string} executablePath @param {string[]} args
 * @param {{ stored?: Record<string, string> | undefined, throttled?: typeof slowPhone | undefined }} [options]
 * @returns {Promise<{ scriptBytes: number, allBytes: number, requests: number, largestPaintMs: number }>}
 */
export async function measureWire(url, executablePath, args, { stored, throttled } = {}) {
  // A signal is for the bench, which has sites to stop.
  const signals = { handleSIGINT: false, handleSIGTERM: false, handleSIGHUP: false };
  const browser = await chromium.launch({ executablePath, args, ...signals });
  try {
    const page = await browser.newPage({ viewport: { width: 412, height: 823 }, deviceScaleFactor: 2 });
    const session = await page.context().newCDPSession(page);
    /** @type {Map<string, string>} */
    const types = new Map();
    const sum = { scriptBytes: 0, allBytes: 0, requests: 0 };
    session.on("Network.responseReceived", ({ requestId, type }) => void types.set(requestId, type));
    session.on("Network.dataReceived", ({ requestId, encodedDataLength }) => {
      if (types.get(requestId) === "Script") sum.scriptBytes += encodedDataLength;
    });
    session.on("Network.loadingFinished", ({ encodedDataLength }) => {
      sum.requests += 1;
      sum.allBytes += encodedDataLength;
    });
    await session.send("Network.enable");
    if (throttled !== undefined) {
      await session.send("Network.emulateNetworkConditions", throttled.network);
      await session.send("Emulation.setCPUThrottlingRate", { rate: throttled.cpuRate });
    }
    await page.addInitScript(watchPaints, stored ?? {});
    let changedAt = performance.now();
    for (const event of /** @type {const} */ (["Network.requestWillBeSent", "Network.dataReceived", "Network.loadingFinished"]))
      session.on(event, () => (changedAt = performance.now()));
    await page.goto(url, { timeout: 90_000 });
    // Longer than an idle callback may wait: nothing may follow by itself. The open stream of events never ends.
    while (performance.now() - changedAt < 3000) await page.waitForTimeout(100);
    if (new URL(page.url()).pathname !== new URL(url).pathname) throw new Error(`${url} led to ${page.url()}.`);
    const largestPaintMs = /** @type {number} */ (await page.evaluate("window.largestPaintMs"));
    return { ...sum, largestPaintMs };
  } finally {
    await browser.close();
  }
}

/** Runs in the page. @param {Record<string, string>} stored */
function watchPaints(stored) {
  for (const [key, value] of Object.entries(stored)) localStorage.setItem(key, value);
  new PerformanceObserver((list) => {
    Object.assign(globalThis, { largestPaintMs: list.getEntries().at(-1)?.startTime });
  }).observe({ type: "largest-contentful-paint", buffered: true });
}
