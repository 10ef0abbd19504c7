import type { PresentSettings } from "#domain/payment-methods/methods";
import { restToPay, transferOf } from "#domain/payments/transfer";
import type { Dependencies } from "../../../dependencies.ts";
import type { Transaction } from "../../../platform/db/database.ts";
import { transaction } from "../../../platform/db/transaction.ts";
import { giveBitcoinAddress } from "../../bitcoin-addresses/service.ts";
import { lockRequest } from "../pending.ts";
import { presentSettings } from "../present-settings.ts";
import * as queries from "../queries.ts";

/** An address that is given for a rest is given to nobody else (QUOTE-7). */
const forEver = new Date("9999-12-31T00:00:00Z");

/** Returns a student's request with where they are told to send its rest, stored where that is new (PART-4). */
export async function toldRequest(deps: Dependencies, row: queries.ViewedRow): Promise<queries.ViewedRow> {
  // Stryker disable next-line ConditionFalse,LeftOperand,LogicalOperator,ArrayDeclaration: saves a transaction, which looks again.
  if (row.rest_asked_at === null || !untold(row, await presentSettings(deps, [row]))) return row;
  return transaction(deps.db, async (tx) => tellDestination(deps, tx, (await lockRequest(tx, row.id)).request));
}

/**
 * Returns a request with where its student is told to send the rest, stored where that is new (PART-4). Where the settings have the key of
 * a Bitcoin account alone, the request is given an address of it, once. The payer and the request are locked until the transaction ends.
 */
export async function tellDestination(
  { clock }: Pick<Dependencies, "clock">,
  tx: Transaction,
  request: queries.PaymentRequestRow,
): Promise<queries.PaymentRequestRow> {
  const { id, user_id, package_type, rest_destinations } = request;
  const settings = await presentSettings({ clock, db: tx }, [request]);
  const destination = untold(request, settings);
  // Stryker disable next-line RightOperand: without their account nobody is told.
  if (destination === undefined || user_id === null) return request;
  // No address of an ended quote, which its late payer may still name (QUOTE-6).
  const [now, until, endedBefore] = [clock.now(), forEver, new Date(0)];
  const holder = { userId: user_id, packageType: package_type, now, until, endedBefore, replaced: undefined };
  const address = "key" in destination ? await giveBitcoinAddress(tx, destination.key, holder) : destination.address;
  return queries.updateRest(tx, id, { rest_destinations: [...rest_destinations, address] });
}

/** Returns the present destination of a rest, or the key for an address, where the student was not told; undefined also where there is none. */
function untold(row: queries.ViewedRow, settings: PresentSettings): { address: string } | { key: string } | undefined {
  const transfer = transferOf(row);
  // Stryker disable next-line ConditionFalse,LeftOperand,RightOperand,LogicalOperator: of others the callers ask only where a decision came between.
  if (!transfer || row.rest_asked_at === null || row.amount_received === null) return undefined;
  const told = row.rest_destinations;
  const { available, wallet_address: address } = restToPay(transfer, { received: row.amount_received, told }, settings);
  if (available) return told.includes(address) ? undefined : { address };
  const { bitcoin_xpub: key } = settings;
  return transfer.crypto_type === "bitcoin" && key !== "" ? { key } : undefined;
}
