import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { isAlive, isPostmasterOf } from "./processes.ts";

it("reports a zombie as ended and a running process as alive", async () => {
  // The sleep that replaces the shell never reaps the shell's child.
  const parent = spawn("/bin/sh", ["-c", "sleep 600 & echo $!; exec sleep 600"]);
  try {
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString());
    expect(isAlive(pid)).toBe(true);
    process.kill(pid);
    await expect.poll(() => isAlive(pid)).toBe(false);
    expect(isAlive(parent.pid!)).toBe(true);
  } finally {
    parent.kill();
  }
});

it.skipIf(process.platform !== "linux")(
  "takes no program that names the cluster as an argument for the postmaster",
  async () => {
    const reader = spawn(process.execPath, ["-e", "setTimeout(() => {}, 20_000)", "/x/postgres", "-D", "/x/cluster"]);
    try {
      await expect.poll(() => readFileSync(`/proc/${reader.pid}/cmdline`, "utf8")).toContain("/x/cluster");
      expect(await isPostmasterOf(reader.pid!, "/x/cluster")).toBe(false);
      expect(await isPostmasterOf(process.pid, "/x/cluster")).toBe(false);
      expect(await isPostmasterOf(0, "/x/cluster")).toBe(false);
    } finally {
      reader.kill();
    }
  },
);
