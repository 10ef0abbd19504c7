import { mkdir, rename, rm, rmdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { afterAll, beforeAll, expect, it } from "vitest";
import { settings, type Setting } from "#server/settings";
import { bundleCommands, type Commands } from "../support/sites/commands.ts";

let commands: Commands;
let home: string;
/** A site with a `.env` beside it in which every setting is what none accepts. */
beforeAll(async () => {
  commands = await bundleCommands({ main: "src/server/main.ts" });
  home = dirname(commands.fileOf("main"));
  const names = Object.values(settings).flatMap((group) => Object.values<Setting>(group).map(({ name }) => name));
  await writeFile(join(home, "package.json"), '{ "type": "module" }');
  await writeFile(join(home, ".env"), names.map((name) => `${name}="<live>"`).join("\n"));
});
afterAll(async () => {
  await commands?.remove();
  await rm(home, { recursive: true, force: true });
});

it("a site that a test starts has no setting of the .env beside it", async () => {
  const { code, lines } = await commands.run("main", [], { PORT: "high" });
  expect([code, ...lines]).toEqual([
    1,
    "The settings are not right:",
    '  PORT: must be a whole number from 0 to 65535, not "high"',
  ]);
});

// RUN-4
it("names a .env that cannot be read, such as a folder that Docker has made", async () => {
  const file = join(home, ".env");
  await rename(file, `${file}.aside`);
  await mkdir(file);
  try {
    const line = `  ${file}: cannot be read (EISDIR). It must be a file that the account of the site may read`;
    expect(await commands.run("main", [], {})).toEqual({ code: 1, lines: ["The settings are not right:", line] });
  } finally {
    await rmdir(file);
    await rename(`${file}.aside`, file);
  }
});
