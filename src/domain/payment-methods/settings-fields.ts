import * as z from "zod/mini";
import { alertEmail, code, optionalLine, priceInput } from "../api/fields.ts";
import type { ErrorCode } from "../errors/messages.ts";
import type { CheckedAddress } from "./checked-address.ts";

/** What every field of the wallet settings has, whatever it holds. */
interface Field {
  label: string;
  hint?: string;
  /** Its value before the owner sets one. */
  initial: string;
  /** Says where money goes: changing it needs the admin's password (WALLET-2). */
  isDestination: boolean;
  /** Whether the form refuses to be saved without it. */
  isRequired: boolean;
}

/** An address that receives the payments of a method. */
export interface AddressField extends Field {
  kind: "address";
  input: z.ZodMiniType<string, string | undefined>;
}

/** A public key from which the addresses of a payment method are derived. */
export interface KeyField extends Field {
  kind: "key";
  hint: string;
  input: z.ZodMiniType<string, string | undefined>;
}

/** The USD price of a coin, which the public price service lists as `coin`. */
export interface PriceField extends Field {
  kind: "price";
  input: z.ZodMiniType<string, string>;
  coin: string;
  coinName: string;
  /** The error when the service has no price. */
  failed: ErrorCode;
}

/** A part of an account; may be left empty. */
export interface AccountField extends Field {
  kind: "account";
  /** Returns a value as it is compared, where one value can be written in several ways. */
  comparable?(this: void, text: string): string;
  input: z.ZodMiniType<string, string | undefined>;
}

/** An e-mail address that changes of the settings are reported to (GUARD-1); may be left empty. */
export interface AlertField extends Field {
  kind: "alert";
  input: z.ZodMiniType<string, string | undefined>;
}

export type SettingsField = AddressField | KeyField | PriceField | AccountField | AlertField;

/**
 * Returns the field of an address. `check` finds the stored form or the fault, reported as `PREFIX_FAULT`. `isRequired` is false where
 * the owner may leave out the method, or set a key in its place (WALLET-4).
 */
export function addressField<Fault extends string>(
  label: string,
  check: (text: string) => CheckedAddress<Fault>,
  prefix: string,
  isRequired = true,
): AddressField {
  const input = z.string().check(
    z.trim(),
    z.check((typed) => {
      if (typed.value === "" && !isRequired) return;
      const { address, fault } = check(typed.value);
      if (address !== undefined) typed.value = address;
      else refuse(typed, typed.value === "" ? code("address_missing") : `${prefix}_${fault}`);
    }),
  );
  return {
    kind: "address",
    label,
    initial: "",
    isDestination: true,
    isRequired,
    input: isRequired ? input : z._default(input, ""),
  };
}

/** Returns the field of a key in the place of an address; it may be left empty. `check` and `prefix` are as in `addressField`. */
export function keyField<Fault extends string>(
  text: { label: string; hint: string },
  check: (text: string) => CheckedAddress<Fault>,
  prefix: string,
): KeyField {
  return { ...addressField(text.label, check, prefix, false), ...text, kind: "key" };
}

/** Returns the field of the price of a coin, whose name people read is `coinName`. */
export function priceField<Coin extends string>(
  coinName: string,
  { coin, initial, failed }: { coin: Coin; initial: string; failed: ErrorCode },
): PriceField & { coin: Coin } {
  const label = `${coinName} price (USD)`;
  return { kind: "price", label, initial, isDestination: false, isRequired: true, input: priceInput, coin, coinName, failed };
}

/** Returns the field of one line of a bank account, at most `max` characters; `rest` as in `AccountField`. */
export function accountField(label: string, max: number, rest: Pick<AccountField, "comparable"> = {}): AccountField {
  return {
    ...rest,
    kind: "account",
    label,
    initial: "",
    isDestination: true,
    isRequired: false,
    input: z._default(optionalLine(max), ""),
  };
}

/** Returns an optional field that `normalise` brings into its stored form; `undefined` from it is reported as `fault`. */
export function optionalIdField(
  text: { label: string; hint: string },
  normalise: (typed: string) => string | undefined,
  fault: string,
): AccountField {
  const input = z.string().check(
    z.trim(),
    z.check((typed) => {
      if (typed.value === "") return;
      const id = normalise(typed.value);
      if (id === undefined) refuse(typed, fault);
      else typed.value = id;
    }),
  );
  return { kind: "account", ...text, initial: "", isDestination: true, isRequired: false, input: z._default(input, "") };
}

/** Returns the field of an e-mail address for alerts. */
export function alertField(label: string, hint: string): AlertField {
  const input = z._default(alertEmail, "");
  return { kind: "alert", label, hint, initial: "", isDestination: false, isRequired: false, input };
}

function refuse(typed: z.core.ParsePayload<string>, message: string): void {
  // Stryker disable next-line StringLiteral: zod asks for a code, and only the message is read.
  typed.issues.push({ code: "custom", input: typed.value, message });
}
