import { ProductError } from "#domain/errors/messages";
import type { PackageType } from "#domain/packages";
import type { CryptoType, QuotedMethod } from "#domain/payment-methods/methods";
import { quoteLifetimeSeconds } from "#domain/payments/quote";
import { secondsAfter } from "../../platform/clock.ts";
import type { Connection } from "../../platform/db/database.ts";
import * as queries from "./queries.ts";

/** The figures of a quote, which a payment request copies. */
export interface QuotedPayment {
  id: string;
  package_type: PackageType;
  coupon_code: string | null;
  discount_percent: string;
  original_usd: string;
  upgrade_credit_usd: string;
  amount_usd: string;
  created_at: Date;
  expires_at: Date;
  /** Ended early (GUARD-4). */
  is_void: boolean;
  methods: QuotedMethod[];
}

/** Returns the figures of a student's own quote; undefined for an unknown quote or another student's. */
export function findQuotedPayment(connection: Connection, quoteId: string, userId: string): Promise<QuotedPayment | undefined> {
  return queries.findByIdAndUser(connection, quoteId, userId);
}

/** Returns whether a student's own quote was ended early, as void or with the credit that it takes off (REOPEN-5). Throws `quote_not_found`. */
export async function readQuoteState(connection: Connection, quoteId: string, userId: string): Promise<{ is_void: boolean }> {
  const quote = await queries.findByIdAndUser(connection, quoteId, userId);
  if (!quote) throw new ProductError("quote_not_found");
  const isCutShort = quote.expires_at < secondsAfter(quote.created_at, quoteLifetimeSeconds);
  return { is_void: quote.is_void || isCutShort };
}

/** Returns what a quote promised for a method; undefined where the owner had not set the method up. */
export function availableMethod({ methods }: QuotedPayment, cryptoType: CryptoType): QuotedMethod | undefined {
  return methods.find(({ crypto_type, available }) => crypto_type === cryptoType && available);
}
