import type { PackageType } from "#domain/packages";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import type { Connection } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** The figures of a quote for one method, which a payment request copies. */
export interface QuotedPayment {
  package_type: PackageType;
  coupon_code: string | null;
  discount_percent: string;
  original_usd: string;
  upgrade_credit_usd: string;
  amount_usd: string;
  created_at: Date;
  expires_at: Date;
  method: QuotedMethod;
}

/** Returns the figures of a student's own quote for one method; undefined for an unknown quote or another student's. */
export async function findQuotedPayment(
  connection: Connection,
  quoteId: string,
  userId: string,
  cryptoType: CryptoType,
): Promise<QuotedPayment | undefined> {
  const row = await queries.findByIdAndUser(connection, quoteId, userId);
  const method = row?.methods.find((quoted) => quoted.crypto_type === cryptoType);
  if (!row || !method) return undefined;
  return { ...row, method };
}
