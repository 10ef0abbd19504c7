import { Agent, get } from "node:http";
import { connect, type Socket } from "node:net";
import { afterAll, expect, it } from "vitest";
import { isSoon } from "./client.ts";
import { byForm } from "./form.ts";
import { look } from "./probe.ts";
import { report } from "./report.ts";
import { siteUnderTraffic } from "./running-site.ts";

const running = siteUnderTraffic();
const idle: Socket[] = [];
const kept = new Agent({ keepAlive: true });
afterAll(() => {
  for (const socket of idle) socket.destroy();
  kept.destroy();
});

/** Connections as browsers leave them: some that never sent a request, some that are kept after one, one half sent. */
async function leaveConnections(url: string): Promise<void> {
  const port = Number(new URL(url).port);
  for (let count = 0; count < 20; count++) idle.push(connect(port, "localhost").on("error", () => {}));
  idle.push(connect(port, "localhost", () => idle.at(-1)?.write("GET / HTTP/1.1\r\nHost: loc")).on("error", () => {}));
  await Promise.all(
    Array.from(
      { length: 10 },
      () => new Promise((resolve) => get(url, { agent: kept }, (reply) => reply.resume().on("end", resolve))),
    ),
  );
}

const rounds = byForm(3, 20);

it(`ends within its time ${rounds} times of ${rounds} under load, and serves again`, async () => {
  const { site, traffic } = running;
  const endings: number[] = [];
  const starts: number[] = [];
  for (let round = 0; round < rounds; round++) {
    const lives = traffic.lives();
    expect(await isSoon(() => traffic.lives() > lives, 40_000)).toBe(true);
    await leaveConnections(site.url);
    const asked = Date.now();
    expect(await site.end()).toEqual({ code: 0, signal: null });
    endings.push((Date.now() - asked) / 1000);
    const started = Date.now();
    site.launch();
    expect(await isSoon(async () => (await look(site.url)).status === 200, 40_000)).toBe(true);
    starts.push((Date.now() - started) / 1000);
    expect(await isSoon(async () => (await look(`${site.url}/readyz`)).status === 200, 40_000)).toBe(true);
  }
  const lost = await traffic.missing();
  const slow = [
    ...endings.filter((seconds) => seconds > 15).map((seconds) => `a stop took ${seconds} s`),
    ...starts.filter((seconds) => seconds > 3).map((seconds) => `a start took ${seconds} s`),
  ];
  const note = `stops up to ${Math.max(...endings)} s, starts up to ${Math.max(...starts)} s`;
  report({ fault: `${rounds} restarts under load`, complaints: [...slow, ...lost, ...unexcused()], note });
  console.log(`${rounds} restarts: ${note}`);
  expect([...lost, ...unexcused()]).toEqual([]);
});

/** Replies during the restarts that tell a visitor something else than to wait. */
function unexcused(): string[] {
  const { mishaps, wrongs } = running.traffic.journal;
  return [...wrongs, ...mishaps.filter(({ status }) => status !== 0 && status !== 503).map(({ what }) => what)];
}
