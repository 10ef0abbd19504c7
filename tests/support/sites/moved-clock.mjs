import { readFileSync } from "node:fs";

// Loaded before the product's own code (`--import`), so that its clock is ahead of this machine's: by CLOCK_AHEAD seconds, or by as many as
// the file CLOCK_FILE has, which may change while the process runs, as when somebody sets the clock.
const file = process.env.CLOCK_FILE;
const read = () => Number(file ? readFileSync(file, "utf8") : (process.env.CLOCK_AHEAD ?? 0)) * 1000;
let ahead = read();
const RealDate = Date;
if (file) setInterval(() => (ahead = read()), 100).unref();

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + ahead] : given));
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
// Of a clock that was set before the process started; while it runs, `performance` does not move.
Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + ahead });
