// @ts-check
// The course of 60 lessons, as a student's dashboard asks for it.
import { deepStrictEqual } from "node:assert";
import { compared } from "../frame/figures.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { sideBySide } from "../frame/rounds.mjs";

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site, bare, students, tokenOf } = await bench.stage();
  const student = /** @type {import("../frame/stage.mjs").Student} */ (students[0]);
  const [ours, theirs] = [
    await listOf(site, listRequest(await tokenOf(student))),
    await listOf(bare, listRequest(student.sessionId)),
  ];
  if (ours.items.length !== 60) throw new Error(`The list has ${ours.items.length} videos.`);
  deepStrictEqual(theirs, ours, "Both send the same lessons.");

  const [measured, beside] = await sideBySide(bench, [
    { server: site, round: async () => ({ next: always(listRequest(await tokenOf(student)), sizeOf(ours)) }) },
    { server: bare, round: async () => ({ next: always(listRequest(student.sessionId), sizeOf(theirs)) }) },
  ]);
  return [compared("list of 60 videos", measured, beside, 1)];
}

/**
 * Prepares a round of the site alone.
 * @param {import("../frame/stage.mjs").Stage} stage
 */
export async function listRound({ site, students, tokenOf }) {
  const bytes = listRequest(await tokenOf(/** @type {import("../frame/stage.mjs").Student} */ (students[0])));
  return { next: always(bytes, sizeOf(await listOf(site, bytes))) };
}

/** @param {string} token */
const listRequest = (token) => requestBytes("GET", "/api/videos?limit=100", { authorization: `Bearer ${token}` });

/** @param {import("../frame/rounds.mjs").Server} server @param {Buffer} bytes */
async function listOf(server, bytes) {
  const { status, body } = await sendOnce(server.port, bytes);
  if (status !== 200) throw new Error(`${server.name} answered ${status}.`);
  return JSON.parse(body.toString());
}

/** @param {unknown} reply */
const sizeOf = (reply) => Buffer.byteLength(JSON.stringify(reply));

/** @param {Buffer} bytes @param {number} size @returns {import("../frame/rounds.mjs").Next} */
function always(bytes, size) {
  const sending = {
    bytes,
    check(/** @type {import("../frame/load.mjs").Reply} */ { status, length }) {
      if (status !== 200 || length !== size) throw new Error(`A list of status ${status} has ${length} bytes.`);
    },
  };
  return () => sending;
}
