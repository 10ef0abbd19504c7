// Loaded before the product's own code (`--import`), so that its clock is CLOCK_AHEAD seconds ahead of this machine's.
const ahead = Number(process.env.CLOCK_AHEAD ?? 0) * 1000;
const RealDate = Date;

globalThis.Date = class extends RealDate {
  constructor(...given) {
    super(...(given.length === 0 ? [RealDate.now() + ahead] : given));
  }

  static now() {
    return RealDate.now() + ahead;
  }
};
Object.defineProperty(performance, "timeOrigin", { value: performance.timeOrigin + ahead });
