import type { PackageType } from "#domain/packages";
import { quoteMethods, type QuotedMethod } from "#domain/payment-methods/methods";
import type { Dependencies } from "../../dependencies.ts";
import { secondsAfter } from "../../platform/clock.ts";
import { isAdmitted, type Limit } from "../../platform/http/rate-limit.ts";
import { giveBitcoinAddress } from "../bitcoin-addresses/service.ts";
import type { CurrentSettings } from "../wallet-settings/service.ts";
import { withOwnAmounts } from "./own-amounts/reserve.ts";
import { findQuotedPayment } from "./quoted-payment.ts";

/** Quotes of one package within an hour that get an address and digits of their own, even while the student has others. */
const ownFiguresLimit: Limit = { name: "own-figures", points: 5, seconds: 3600 };

/** A browser's clock may end a quote earlier than the server does. */
export const endSlackSeconds = 30;

interface Terms {
  userId: string;
  packageType: PackageType;
  amountUsd: string;
  createdAt: Date;
  expiresAt: Date;
  /** The quote that the page displayed before. */
  replaces: string | undefined;
}

/**
 * Returns what a quote promises for each method: the same amounts and destinations for everybody, or an address (QUOTE-7) and last digits
 * (QUOTE-8) of the quote's own where the settings say so. Whoever asks for many quotes gets the figures of their own open ones, so that
 * nobody uses up the addresses.
 */
export async function methodsOfQuote(deps: Dependencies, settings: CurrentSettings, terms: Terms): Promise<QuotedMethod[]> {
  const { bitcoin_xpub: key, unique_amounts } = settings;
  if (key === "" && !unique_amounts) return quoteMethods(terms.amountUsd, settings);
  const { userId, packageType, createdAt: now, expiresAt: until } = terms;
  const replaced = await findReplaced(deps, terms);
  const mayHaveNewFigures = await isAdmitted(deps.limits, ownFiguresLimit, `${userId} ${packageType}`);
  const endedBefore = mayHaveNewFigures ? secondsAfter(now, endSlackSeconds) : secondsAfter(until, 1);
  const holder = { userId, packageType, now, until, endedBefore };
  if (key === "") return withOwnAmounts(deps.db, quoteMethods(terms.amountUsd, settings), { ...holder, replaced });
  // Stryker disable next-line ConditionTrue: what another method names is no address of the key.
  const former = replaced.find(({ crypto_type }) => crypto_type === "bitcoin")?.wallet_address;
  const bitcoin_address = await giveBitcoinAddress(deps.db, key, { ...holder, replaced: former });
  const methods = quoteMethods(terms.amountUsd, { ...settings, bitcoin_address });
  return unique_amounts ? withOwnAmounts(deps.db, methods, { ...holder, replaced }, ["bitcoin"]) : methods;
}

/** Returns the methods of the quote before; those of another package match no figures of this one. */
async function findReplaced({ db }: Dependencies, { replaces, userId }: Terms): Promise<QuotedMethod[]> {
  // Stryker disable next-line ConditionFalse: no quote has no id.
  const quoted = replaces === undefined ? undefined : await findQuotedPayment(db, replaces, userId);
  // Stryker disable next-line ArrayDeclaration: what is no method matches none.
  return quoted?.methods ?? [];
}
