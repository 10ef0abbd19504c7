import type { PresentSettings } from "#domain/payment-methods/methods";
import type { Dependencies } from "../../dependencies.ts";
import type { Connection } from "../../platform/db/database.ts";
import { findAllOfKey } from "../bitcoin-addresses/service.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import type { PaymentRequestRow } from "./queries.ts";

type Paid = Pick<PaymentRequestRow, "crypto_type" | "wallet_address" | "earlier_wallet_address" | "rest_destinations">;

/** Returns the present wallet settings, with those of the requests' addresses that were given from a present key. */
export async function presentSettings(
  { db, clock }: Pick<Dependencies, "clock"> & { db: Connection },
  requests: readonly Paid[],
): Promise<PresentSettings> {
  const settings = await currentSettings(db, clock.now());
  const addresses = requests
    .filter(({ crypto_type }) => crypto_type === "bitcoin")
    .flatMap((paid) => [paid.wallet_address, paid.earlier_wallet_address, ...paid.rest_destinations])
    .filter((address) => address !== null);
  const given_addresses = new Set<string>();
  for (const key of new Set([settings.bitcoin_xpub, settings.saved.bitcoin_xpub])) {
    for (const address of await findAllOfKey(db, key, addresses)) given_addresses.add(address);
  }
  return { ...settings, given_addresses };
}
