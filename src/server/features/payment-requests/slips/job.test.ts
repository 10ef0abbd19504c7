import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { ProductError } from "#domain/errors/messages";
import { testClock, type TestApp } from "../../../../../tests/support/app.ts";
import type { TestJob } from "../../../../../tests/support/background-job.ts";
import { pay } from "../../../../../tests/support/payments.ts";
import { student, type Person } from "../../../../../tests/support/people.ts";
import { slipJobOf } from "../../../../../tests/support/slips/job.ts";
import { slipPicture } from "../../../../../tests/support/slips/slip-picture.ts";
import { newSlipCode, startSlipShop, type SlipShop } from "../../../../../tests/support/slips/slip-shop.ts";
import { secondsAfter } from "../../../platform/clock.ts";
import { JobError } from "../../../platform/workers/job-error.ts";

let shop: SlipShop;
let app: TestApp;
let operator: Person;
let slips: TestJob;
beforeAll(async () => {
  shop = await startSlipShop();
  ({ app, operator, slips } = shop);
});
afterAll(() => shop?.close());

const payWith = async (screenshot: Buffer): Promise<string> => {
  const reply = await pay(await student(app), { crypto_type: "thai_bank", screenshot });
  expect(reply.status, JSON.stringify(reply.body)).toBe(201);
  return reply.body.id;
};

const evidenceOf = async (id: string): Promise<any> =>
  (await operator.call("GET", `/api/payment-requests/${id}`)).body.evidence.find((one: any) => one.kind === "slip");

/** Reads all slips that are due, and returns what one request's slip says. */
const readSlip = async (id: string): Promise<any> => {
  await slips.job.run();
  return evidenceOf(id);
};

/** Reads what is due when every lease and every wait have ended. */
const readLater = async (): Promise<void> => {
  const clock = testClock();
  clock.advance(4000);
  const later = slipJobOf(app, { clock });
  await later.job.run();
  await later.close();
};

/** SLIP-2. */
describe("the reading of slips", () => {
  const attemptsOf = async (id: string): Promise<any> =>
    (
      await app.sql<any>(
        "select s.* from transfer_slips s join payment_requests on screenshot_object_id = object_id where id = $1",
        [id],
      )
    )[0];

  it("is repeated after its process was lost, and given up in the end", async () => {
    const clock = testClock();
    const failing = slipJobOf(app, {
      clock,
      slips: { scan: () => Promise.reject(new JobError("lost")), close: () => Promise.resolve() },
    });
    const id = await payWith(await slipPicture(newSlipCode()));
    await failing.job.run();
    const { object_id } = await attemptsOf(id);
    expect(await attemptsOf(id)).toMatchObject({ attempts: 1, outcome: null });
    expect(failing.errors).toEqual([expect.stringContaining(`Slip ${object_id} could not be read`)]);
    for (const [attempt, wait] of [30, 60, 120, 240, 480, 960, 1920].entries()) {
      clock.advance(wait - 1);
      await failing.job.run();
      expect(await attemptsOf(id)).toMatchObject({ attempts: attempt + 1, read_at: null });
      clock.advance(1);
      await failing.job.run();
      expect(await attemptsOf(id)).toMatchObject({ attempts: attempt + 2 });
    }
    await failing.close();
    expect((await attemptsOf(id)).read_at).toEqual(clock.now());
    expect(await attemptsOf(id)).toMatchObject({ attempts: 8, outcome: "unreadable", next_attempt_at: null });
    expect(await evidenceOf(id)).toMatchObject({
      verdict: "none",
      text: "The picture could not be searched for the code of a transfer slip.",
    });
  });

  // FILE-18
  it("waits while the store is away or the disk full, which is no failure", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const { objects } = app.deps;
    const causes = [
      new ProductError("unavailable"),
      new ProductError("insufficient_storage"),
      Object.assign(new Error("no space left on device"), { code: "ENOSPC" }),
    ];
    const clock = testClock();
    for (const cause of causes) {
      const withFile = () => Promise.reject(cause);
      const waiting = slipJobOf(app, { clock, objects: Object.assign(Object.create(objects), { withFile }) });
      for (let attempt = 1; attempt <= 4; attempt += 1) {
        await waiting.job.run();
        clock.advance(3600);
      }
      await waiting.close();
    }
    expect(await attemptsOf(id)).toMatchObject({ attempts: 12, failures: 0, outcome: null });
    const back = slipJobOf(app, { clock });
    await back.job.run();
    await back.close();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "read" });
  });

  it("ends at once with a picture that cannot be read", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const scan = () => Promise.resolve({ kind: "unreadable" } as const);
    const reading = slipJobOf(app, { slips: { scan, close: () => Promise.resolve() } });
    await reading.job.run();
    await reading.close();
    expect(await attemptsOf(id)).toMatchObject({ attempts: 1, outcome: "unreadable", next_attempt_at: null });
  });

  it("holds a slip for three minutes, and leaves it at once when its process stops", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const scans: ((error: Error) => void)[] = [];
    const clock = testClock();
    const scan = () => new Promise<never>((_resolve, reject) => void scans.push(reject));
    const stopping = slipJobOf(app, { clock, slips: { scan, close: () => Promise.resolve() } });
    const run = stopping.job.run();
    await expect.poll(() => scans).toHaveLength(1);
    expect((await attemptsOf(id)).next_attempt_at).toEqual(secondsAfter(clock.steady(), 180));
    const closed = stopping.close();
    scans[0]?.(new JobError("lost"));
    await Promise.all([run, closed]);
    expect(await attemptsOf(id)).toMatchObject({ attempts: 1, outcome: null, next_attempt_at: clock.steady() });
    expect(stopping.errors).toEqual([]);
    await readLater();
  });

  it("stores nothing where another process has taken the slip meanwhile", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const { object_id } = await attemptsOf(id);
    const late = slipJobOf(app, {
      slips: {
        scan: async () => {
          await app.sql("update transfer_slips set attempts = attempts + 1 where object_id = $1", [object_id]);
          return { kind: "scanned", codes: [newSlipCode(), newSlipCode()] };
        },
        close: () => Promise.resolve(),
      },
    });
    await late.job.run();
    await late.close();
    expect(await attemptsOf(id)).toMatchObject({ attempts: 2, outcome: null });
    expect(await app.sql("select 1 from slip_codes where object_id = $1", [object_id])).toEqual([]);
    await readLater();
  });

  it("stores a transfer once where two codes write its reference in two ways", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const { sending_bank, reference } = newSlipCode();
    const codes = [reference, reference.toLowerCase()].map((written) => ({ sending_bank, reference: written }));
    const reading = slipJobOf(app, {
      slips: { scan: () => Promise.resolve({ kind: "scanned", codes }), close: () => Promise.resolve() },
    });
    await reading.job.run();
    await reading.close();
    expect(reading.errors).toEqual([]);
    expect(await evidenceOf(id)).toMatchObject({ verdict: "read", text: expect.stringMatching(/^The slip is of [^.]+\.$/) });
  });

  it("goes on in another process when one has died with a slip", async () => {
    const id = await payWith(await slipPicture(newSlipCode()));
    const dead = slipJobOf(app, { slips: { scan: () => new Promise(() => {}), close: () => Promise.resolve() } });
    void dead.job.run();
    await expect.poll(async () => (await attemptsOf(id)).attempts).toBe(1);
    expect(await readSlip(id)).toBeUndefined();
    await readLater();
    expect(await evidenceOf(id)).toMatchObject({ verdict: "read" });
  });

  it("reads the newest slip first, and goes on after one that fails", async () => {
    const pictures = await Promise.all([1, 2, 3].map((seed) => slipPicture(newSlipCode(), seed)));
    const ids: string[] = [];
    for (const picture of pictures) {
      ids.push(await payWith(picture));
      app.clock.advance(1);
    }
    const order: unknown[] = [];
    const watched = slipJobOf(app, {
      slips: {
        scan: ({ path }) => {
          order.push(path);
          return order.length === 2 ? Promise.reject(new JobError("lost")) : Promise.resolve({ kind: "scanned", codes: [] });
        },
        close: () => Promise.resolve(),
      },
    });
    await watched.job.run();
    await watched.close();
    const objects = await Promise.all(ids.map(async (id) => (await attemptsOf(id)).object_id));
    expect(order).toEqual(objects.toReversed().map((object) => expect.stringContaining(object)));
    expect(await Promise.all(ids.map(async (id) => (await attemptsOf(id)).outcome))).toEqual(["no_code", null, "no_code"]);
    await readLater();
  });

  it("never makes an upload or a submit wait", async () => {
    const hanging = slipJobOf(app, { slips: { scan: () => new Promise(() => {}), close: () => Promise.resolve() } });
    hanging.job.start();
    const ids = [await payWith(await slipPicture(newSlipCode())), await payWith(await slipPicture(newSlipCode()))];
    for (const id of ids) expect(await evidenceOf(id)).toBeUndefined();
    await readLater();
  });
});
