// A process that prepares films and kills itself at the step it is told: each call of the store, its writers, the reader and the database is
// one. What only reads the database is not counted: a kill before it equals one after the step before. Prints the number of steps at its end.
import pg from "pg";
import { filmJob } from "#server/features/videos/films/job";
import { secondsAfter } from "#server/platform/clock";
import { openDatabase } from "#server/platform/db/database";
import { openFilmReader } from "#server/platform/films/film-reader";
import { openDiskStore } from "#server/platform/storage/disk/disk-store";

export interface FilmProcessSettings {
  connection: pg.ClientConfig;
  dataDir: string;
  filmWorker: string;
  killAt: number;
  /** Seconds by which its clock is ahead, so that leases of those before it have ended. */
  ahead: number;
}

const settings = JSON.parse(process.argv[2] ?? "") as FilmProcessSettings;
let steps = 0;
const step = (): void => {
  steps += 1;
  if (steps === settings.killAt) process.kill(process.pid, "SIGKILL");
};

/** Counts every call of an object's methods, and of what they return. */
function counted<Target extends object>(target: Target): Target {
  return new Proxy(target, {
    get(of, name) {
      const value: unknown = Reflect.get(of, name);
      if (typeof value !== "function") return value;
      return async (...parameters: unknown[]): Promise<unknown> => {
        step();
        const result: unknown = await Reflect.apply(value, of, parameters);
        return name === "append" ? counted(result as object) : result;
      };
    },
  });
}

const query = pg.Client.prototype.query;
pg.Client.prototype.query = function (this: pg.Client, ...parameters: unknown[]) {
  const [asked] = parameters as [string | pg.QueryConfig];
  if (!/^(begin|select)/i.test(typeof asked === "string" ? asked : asked.text)) step();
  return Reflect.apply(query, this, parameters) as never;
};

const ahead = (): Date => secondsAfter(new Date(), settings.ahead);
const clock = { now: () => new Date(), steady: ahead };
const db = openDatabase({ ...settings.connection, max: 4 }, () => {});
const objects = counted(await openDiskStore(settings.dataDir, clock));
const films = openFilmReader(settings.filmWorker);
const job = filmJob({
  db,
  clock,
  objects,
  films: counted(films),
  changes: { subscribe: () => () => {} },
  onError: (what, error) => console.error(what, error),
});
await job.run();
await job.stop();
await films.close();
await db.$client.end();
console.log(steps);
