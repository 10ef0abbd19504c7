// @ts-check
// The landing page, as a browser asks for it.
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { compared } from "../frame/figures.mjs";
import { requestBytes, sendOnce } from "../frame/load.mjs";
import { startNginx } from "../frame/nginx.mjs";
import { sideBySide } from "../frame/rounds.mjs";

const request = requestBytes("GET", "/", { "accept-encoding": "gzip, deflate, br, zstd" });

/** @param {import("../frame/bench.mjs").Bench} bench */
export async function run(bench) {
  const { site } = await bench.stage();
  const { status, head, body } = await sendOnce(site.port, request);
  const encoding = /\r\ncontent-encoding: *(\S+)/i.exec(head)?.[1];
  if (status !== 200 || encoding === undefined || body.length === 0) throw new Error(`The page was answered ${status}.`);
  const folder = join(site.folder, "landing");
  mkdirSync(folder);
  writeFileSync(join(folder, "page"), body);
  const directives = `root ${folder}; location = / { default_type text/html; add_header content-encoding ${encoding}; try_files /page =404; }`;
  const nginx = await startNginx(bench, folder, directives);
  if (nginx === undefined) return [];
  if (!(await sendOnce(nginx.port, request)).body.equals(body)) throw new Error("nginx sends another page.");

  const check = (/** @type {import("../frame/load.mjs").Reply} */ reply) => {
    if (reply.status !== 200 || reply.length !== body.length) throw new Error(`The page was answered ${reply.status}.`);
  };
  const round = async () => ({ next: () => ({ bytes: request, check }) });
  const [ours, beside] = await sideBySide(bench, [
    { server: site, round },
    { server: nginx, round },
  ]);
  return [compared("landing page", ours, beside, 0.6)];
}
