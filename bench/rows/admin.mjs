// @ts-check
// The admin's newest 100 payment requests with payer and evidence, in a shop of 100,000 and one of 1,000,000; and every page, filter and search of the
// large one alone.
import { callsOf } from "../admin/calls.mjs";
import { openShop } from "../admin/shop.mjs";
import { absolute, compared } from "../frame/figures.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { median } from "../frame/median.mjs";
import { sideBySide } from "../frame/rounds.mjs";
import { startBare } from "../frame/stage.mjs";
import { databaseOf } from "../site.mjs";

const path = "/api/payment-requests?limit=100";

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const [few, many] = bench.quick ? [1000, 10_000] : [100_000, 1_000_000];
  const [small, large] = [await open(bench, few), await open(bench, many)];
  const measured = await sideBySide(bench, [
    await sideOf(small, small.ours),
    await sideOf(small, small.bare),
    await sideOf(large, large.ours),
    await sideOf(large, large.bare),
  ]);
  const [oursOfFew, bareOfFew, oursOfMany = oursOfFew, bareOfMany = bareOfFew] = measured;
  const times = oursOfFew.perSecond / oursOfMany.perSecond;
  const figures = [
    compared(`admin's newest 100 of ${few.toLocaleString("en")}`, oursOfFew, bareOfFew, 0.5),
    compared(`admin's newest 100 of ${many.toLocaleString("en")}`, oursOfMany, bareOfMany, 0.5),
    absolute(`the same, ${many.toLocaleString("en")} against ${few.toLocaleString("en")}`, times, "times", { atMost: 1.2 }),
    await slowestCall(bench, large.shop),
  ];
  for (const { shop, bare } of [small, large]) {
    await bare.stop();
    await shop.stop();
  }
  return figures;
}

/** Opens a shop with both servers on its database. @param {import("../frame/bench.mjs").Bench} bench @param {number} requests */
async function open(bench, requests) {
  const shop = await openShop(bench, { requests, users: requests / 5, pending: Math.min(2000, requests / 20) });
  const { host, pid: database } = databaseOf(shop.site);
  const pid = /** @type {number} */ (shop.site.pid);
  const ours = { name: "ours", port: Number(new URL(shop.site.origin).port), pid, database };
  return { shop, ours, bare: { ...(await startBare(bench, host, "pipwright")), database } };
}

/** @param {Awaited<ReturnType<typeof open>>} opened @param {import("../frame/rounds.mjs").Server} server */
async function sideOf({ shop, ours }, server) {
  const requestNow = async () => {
    const token = await shop.token();
    const { session_id } = JSON.parse(Buffer.from(token.split(".")[1] ?? "", "base64url").toString());
    return requestBytes("GET", path, { authorization: `Bearer ${server === ours ? token : session_id}` });
  };
  const { rows } = await shop.client.query("select id from payment_requests order by created_at desc, id desc limit 100");
  const { status, body, length } = await sendOnce(server.port, await requestNow());
  const ids = JSON.parse(body.toString()).items?.map((/** @type {{ id: string }} */ { id }) => id) ?? [];
  if (ids.join() !== rows.map(({ id }) => id).join())
    throw new Error(`${server.name} answers ${status} and lists other requests.`);
  const check = (/** @type {import("../frame/load.mjs").Reply} */ reply) => {
    // A time that evidence names has a few digits more or less.
    if (reply.status !== 200 || Math.abs(reply.length - length) > length / 100)
      throw new Error(`A list was answered ${reply.status} with ${reply.length} bytes instead of ${length}.`);
  };
  const round = async () => {
    const bytes = await requestNow();
    return { next: () => ({ bytes, check }) };
  };
  return { server, round };
}

/** @param {import("../frame/bench.mjs").Bench} bench @param {import("../admin/shop.mjs").Shop} shop */
async function slowestCall(bench, { client, get }) {
  let slowest = { name: "", ms: 0 };
  for (const [name, call] of Object.entries(await callsOf(client))) {
    await get(call);
    /** @type {number[]} */
    const times = [];
    for (let round = 0; round < bench.rounds; round++) times.push((await get(call)).ms);
    const ms = median(times);
    if (ms > slowest.ms) slowest = { name, ms };
  }
  return absolute(`the admin's slowest call (${slowest.name})`, slowest.ms, "ms", { atMost: 20 });
}
