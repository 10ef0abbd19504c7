import type { Quote } from "#domain/api/payments/quotes";
import { amountText, comparableDestination, paymentMethod, type QuotedMethod } from "#domain/payment-methods/methods";
import { usd } from "../../../platform/format.ts";

/** What a renewed quote changes for someone who was about to pay by the one before; empty when nothing does. */
export function quoteChanges(before: Quote, after: Quote): string[] {
  const changes: string[] = [];
  if (before.coupon_code !== null && after.coupon_code === null) {
    changes.push(`The coupon ${before.coupon_code} no longer applies.`);
  }
  if (before.upgrade_credit_usd !== after.upgrade_credit_usd) {
    changes.push(creditChange(before.upgrade_credit_usd, after.upgrade_credit_usd));
  }
  if (before.amount_usd !== after.amount_usd) {
    changes.push(`The price is now ${usd(after.amount_usd)} USD instead of ${usd(before.amount_usd)} USD.`);
  }
  for (const method of after.methods) {
    const former = before.methods.find(({ crypto_type }) => crypto_type === method.crypto_type);
    if (former) changes.push(...methodChanges(former, method));
  }
  return changes;
}

/** What became of the places to pay to, for someone who has just changed the amounts themselves; empty when nothing did. */
export function placeChanges(before: Quote, after: Quote): string[] {
  return after.methods.flatMap((method) => {
    const former = before.methods.find(({ crypto_type }) => crypto_type === method.crypto_type);
    return former ? methodChanges({ ...former, amount_crypto: method.amount_crypto }, method) : [];
  });
}

function creditChange(before: string, after: string): string {
  if (after === "0") return `The ${usd(before)} you paid for Starter no longer count.`;
  if (before === "0") return `The ${usd(after)} you paid for Starter are now taken off.`;
  return `What you paid for Starter now counts ${usd(after)} instead of ${usd(before)}.`;
}

/** What has changed of one method. */
export function methodChanges(before: QuotedMethod, after: QuotedMethod): string[] {
  const name = paymentMethod(after.crypto_type).name;
  if (before.available && !after.available) return [`${name} is no longer available.`];
  if (!before.available && after.available) return [`${name} is now available.`];
  if (!after.available) return [];
  const changes: string[] = [];
  if (before.amount_crypto !== after.amount_crypto) {
    const [now, then] = [after, before].map((method) => amountText(after.crypto_type, method.amount_crypto));
    changes.push(`${name}: the amount is now ${now} instead of ${then}.`);
  }
  if (destination(before) !== destination(after)) {
    const what = after.bank ? "the bank account" : "the address";
    changes.push(`${name}: ${what} has changed. Please do not use the old one.`);
  }
  return changes;
}

function destination({ crypto_type, wallet_address, bank }: QuotedMethod): string {
  const [where, number] = [wallet_address, bank?.account_number ?? ""].map((one) => comparableDestination(crypto_type, one));
  return JSON.stringify([where, bank?.name, number, bank?.account_name, bank?.promptpay_id]);
}
