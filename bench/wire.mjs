// @ts-check
import { chromium } from "@playwright/test";

/**
 * What a page loads before anybody touches it, as the browser itself sees it: scripts as they are compressed, and everything over
 * the wire, headers included.
 * @param {string} url @param {string} executablePath @param {string[]} args
 * @returns {Promise<{ scriptBytes: number, allBytes: number, requests: number }>}
 */
export async function measureWire(url, executablePath, args) {
  const browser = await chromium.launch({ executablePath, args });
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
    await page.goto(url, { waitUntil: "networkidle" });
    // Longer than an idle callback may wait: nothing may follow by itself.
    await page.waitForTimeout(3000);
    return sum;
  } finally {
    await browser.close();
  }
}
