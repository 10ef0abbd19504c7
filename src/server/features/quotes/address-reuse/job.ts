import { BackgroundJob, type JobParts } from "../../../platform/background-job.ts";
import { findFreeAddresses, type FreeAddressParts } from "../../bitcoin-addresses/service.ts";
import { currentSettings } from "../../wallet-settings/service.ts";

/** An address becomes free, and a free one is asked about again, at most this late. */
const pollMs = 60_000;

export type AddressReuseParts = FreeAddressParts & JobParts;

/** Returns the job that finds addresses which quotes may have again (QUOTE-9); none without a chain service for Bitcoin. */
export function addressReuseJobs(parts: AddressReuseParts): BackgroundJob[] {
  const { db, clock, chains, changes, onError } = parts;
  if (chains.bitcoin === undefined) return [];
  const run = async (stop: AbortSignal): Promise<void> => {
    const { bitcoin_xpub } = await currentSettings(db, clock.now());
    await findFreeAddresses(parts, bitcoin_xpub, stop);
  };
  return [
    new BackgroundJob({ changes, onError, pollMs, tasks: [{ failure: "Unused addresses could not be looked up", run }] }),
  ];
}
