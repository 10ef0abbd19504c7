import type { SlipCode } from "#domain/payment-methods/thai-bank/slip-code";
import type { TestApp } from "../app.ts";
import type { TestJob } from "../background-job.ts";
import type { Person } from "../people.ts";
import { startShop } from "../shop.ts";
import { slipJobOf } from "./job.ts";

export interface SlipShop {
  app: TestApp;
  operator: Person;
  slips: TestJob;
  close(): Promise<void>;
}

/** A shop whose transfer slips are read when the test runs the job. */
export async function startSlipShop(): Promise<SlipShop> {
  const { app, operator } = await startShop();
  const slips = slipJobOf(app);
  const close = async (): Promise<void> => {
    await slips.close();
    await app.close();
  };
  return { app, operator, slips, close };
}

let count = 0;

/** A code that no other slip of a test file has. */
export function newSlipCode(): SlipCode {
  count += 1;
  return { sending_bank: "004", reference: `016326101010BPP${String(count).padStart(5, "0")}` };
}
