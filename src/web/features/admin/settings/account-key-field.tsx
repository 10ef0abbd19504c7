import { queryOptions, useQuery } from "@tanstack/react-query";
import type { ComponentProps, ReactNode } from "react";
import { checkExtendedKey, comparedAddresses, walletGapLimit } from "#domain/payment-methods/bitcoin/extended-key";
import { extendedKeyFaults } from "#domain/payment-methods/bitcoin/texts";
import { settingsFields } from "#domain/payment-methods/settings";
import { productErrorOf } from "../../../platform/errors.ts";
import { loadPart } from "../../../platform/part.ts";
import { Banner } from "../../../ui/banner.tsx";
import { TextField } from "../../../ui/field.tsx";

interface AccountKeyFieldProps extends Omit<ComponentProps<typeof TextField>, "label" | "value"> {
  value: string;
  savedKey: string;
  /** Addresses of the saved key that were given since the last one of a payment request that was not rejected. */
  unused: number;
}

/** The key of a Bitcoin account, with its first addresses to compare with the wallet (WALLET-4, WALLET-5). */
export function AccountKeyField({ value, savedKey, unused, error, ...rest }: AccountKeyFieldProps): ReactNode {
  const { label, hint } = settingsFields.bitcoin_xpub;
  const { address: key, fault } = checkExtendedKey(value.trim());
  return (
    <div className="grid gap-3">
      <TextField
        label={label}
        hint={hint}
        aside={<span className="text-small text-muted">Optional</span>}
        className="font-figures"
        autoComplete="off"
        spellCheck={false}
        value={value}
        // Said at once, before anything is sent.
        error={fault === "private_key" ? extendedKeyFaults.private_key : error}
        {...rest}
      />
      {key !== undefined && <FirstAddresses accountKey={key} />}
      {key !== undefined && <GapWarning unused={key === savedKey ? unused : 0} />}
    </div>
  );
}

const firstAddressesOptions = (key: string) =>
  queryOptions({
    queryKey: ["first-addresses", key],
    queryFn: async () => {
      // The curve's arithmetic is loaded only where a key was typed.
      const receiveChain = await loadPart(async () => (await import("#domain/payment-methods/bitcoin/derive")).receiveChain);
      const chain = receiveChain(key);
      return Array.from({ length: comparedAddresses }, (_none, index) => chain.addressAt(index));
    },
    staleTime: Infinity,
    retry: false,
  });

function FirstAddresses({ accountKey }: { accountKey: string }): ReactNode {
  const { data, error } = useQuery(firstAddressesOptions(accountKey));
  if (error) return <Banner tone="loss">{underivable(error)}</Banner>;
  return (
    <div className="text-small">
      <p className="text-muted">Compare the first addresses with those that your wallet displays for receiving:</p>
      <ol aria-label="First addresses" className="mt-1 grid list-inside list-decimal gap-1 font-figures break-all">
        {data?.map((address) => (
          <li key={address}>{address}</li>
        ))}
      </ol>
    </div>
  );
}

function underivable(error: Error): string {
  if (productErrorOf(error).code === "part_not_loaded") return error.message;
  return "No address can be derived from this key. Please copy it again from your wallet.";
}

function GapWarning({ unused }: { unused: number }): ReactNode {
  return (
    <Banner tone={unused >= walletGapLimit ? "caution" : "info"} title={unusedText(unused)} isAnnounced={false}>
      Wallets look only {walletGapLimit} unused addresses ahead. Raise the gap limit of your wallet, so that it also finds
      payments to later ones.
    </Banner>
  );
}

function unusedText(unused: number): string {
  if (unused === 0) return "No address was given since the last one of a payment request that was not rejected";
  const were = unused === 1 ? "1 address was" : `${unused} addresses were`;
  return `${were} given since the last one of a payment request that was not rejected`;
}
