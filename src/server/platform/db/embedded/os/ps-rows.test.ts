import { expect, it } from "vitest";
import { commandsIn } from "./ps-rows.ts";

it.each([
  ["/opt/pg/bin/postgres -D /data/cluster", "/opt/pg/bin/postgres"],
  ["/Users/nok/Course - shop/bin/postgres -D /Users/nok/Course - shop/cluster", "/Users/nok/Course - shop/bin/postgres"],
  ["/Users/nok/My postgres - old/bin/initdb --pgdata=/data/cluster", "/Users/nok/My postgres - old/bin/initdb"],
  ["/opt/pg/bin/postmaster", "/opt/pg/bin/postmaster"],
  ["postgres -D cluster", "postgres"],
  ["postgres: nok course [local] idle", ""],
  ["/usr/bin/node reader.js /opt/pg/bin/postgres -D /data/cluster", ""],
  ["/opt/pg/bin/postgres_exporter -v", ""],
])("finds the database program of %s", (line, program) => {
  expect(commandsIn(` 4711 ${line}\n`)).toEqual(new Map([[4711, { program, line }]]));
});

it("reads one process a row, and nothing from no rows", () => {
  expect([...commandsIn("    1 /sbin/launchd\n99999 /opt/pg/bin/postgres\n").keys()]).toEqual([1, 99_999]);
  expect(commandsIn("").size).toBe(0);
});
