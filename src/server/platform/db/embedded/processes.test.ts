import { spawn } from "node:child_process";
import { once } from "node:events";
import { expect, it } from "vitest";
import { isAlive, isPostmasterOf } from "./processes.ts";

it("takes a zombie for dead and a running process for alive", async () => {
  // The shell's child ends at once, and the sleep that the shell becomes never asks for it.
  const parent = spawn("/bin/sh", ["-c", "sleep 0.05 & echo $!; exec sleep 20"]);
  try {
    const [text] = (await once(parent.stdout, "data")) as [Buffer];
    const pid = Number(text.toString());
    expect(isAlive(pid)).toBe(true);
    await expect.poll(() => isAlive(pid), { timeout: 3000 }).toBe(false);
    expect(isAlive(parent.pid!)).toBe(true);
  } finally {
    parent.kill();
  }
});

it("takes nobody for a postmaster who only mentions the cluster", async () => {
  const reader = spawn("/bin/sh", ["-c", "exec sleep 20", "/x/postgres", "-D", "/x/cluster"]);
  try {
    expect(await isPostmasterOf(reader.pid!, "/x/cluster")).toBe(false);
    expect(await isPostmasterOf(process.pid, "/x/cluster")).toBe(false);
    expect(await isPostmasterOf(0, "/x/cluster")).toBe(false);
  } finally {
    reader.kill();
  }
});
