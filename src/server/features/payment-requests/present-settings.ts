import type { PresentSettings } from "#domain/payment-methods/methods";
import type { Connection } from "../../platform/db/database.ts";
import { findAllOfKey } from "../bitcoin-addresses/service.ts";
import { currentSettings } from "../wallet-settings/service.ts";
import type { PaymentRequestRow } from "./queries.ts";

type Paid = Pick<PaymentRequestRow, "crypto_type" | "wallet_address" | "earlier_wallet_address">;

/** Returns the present wallet settings, with those of the requests' addresses that were given from the present key. */
export async function presentSettings(connection: Connection, requests: readonly Paid[]): Promise<PresentSettings> {
  const settings = await currentSettings(connection);
  const addresses = requests
    .filter(({ crypto_type }) => crypto_type === "bitcoin")
    .flatMap(({ wallet_address, earlier_wallet_address }) => [wallet_address, earlier_wallet_address])
    .filter((address) => address !== null);
  return { ...settings, given_addresses: await findAllOfKey(connection, settings.bitcoin_xpub, addresses) };
}
