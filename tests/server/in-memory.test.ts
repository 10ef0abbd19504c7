import { spawnSync } from "node:child_process";
import { expect, it } from "vitest";

const scripts = `${import.meta.dirname}/../../scripts`;
const inNamespace = ["--mount", "--propagation", "private"];
const mount = "mount -t tmpfs -o size=1m tmpfs /dev/shm";
const mayMount = process.platform === "linux" && spawnSync("unshare", [...inNamespace, "sh", "-c", mount]).status === 0;

it.runIf(mayMount).each([
  ["exec", "/dev/shm"],
  ["noexec", undefined],
])("tests are in memory where it runs the programs that they write: %s", (option, base) => {
  const ask = `console.log((await import("${scripts}/memory-base.mjs")).memoryBase(1024))`;
  const lines = `${mount} -o ${option} && "$1" --input-type=module -e '${ask}' && ls /dev/shm`;
  const run = spawnSync("unshare", [...inNamespace, "sh", "-c", lines, "sh", process.execPath], { encoding: "utf8" });
  expect(run).toMatchObject({ status: 0, stdout: `${base}\n`, stderr: "" });
});
