import type { ReactNode } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { WalletSettingsForm, type WalletSettings } from "#domain/api/wallet-settings";
import { changedDestinations } from "#domain/wallet-settings";
import { api } from "../../../platform/api.ts";
import { useForm } from "../../../platform/form.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { PriceField } from "./price-field.tsx";
import { walletSettingsOptions } from "./queries.ts";

const fieldNames = [
  "bitcoin_address",
  "ethereum_address",
  "bitcoin_price_usd",
  "ethereum_price_usd",
  "thai_bank_name",
  "thai_bank_account_number",
  "thai_bank_account_name",
  "promptpay_id",
] as const;
type Values = Record<(typeof fieldNames)[number], string>;

const bankFields = [
  { name: "thai_bank_name", label: "Bank" },
  { name: "thai_bank_account_number", label: "Account number" },
  { name: "thai_bank_account_name", label: "Account name" },
] as const;

/** Where payments go. A changed address or account needs the admin's password. */
export function WalletForm({ saved }: { saved: WalletSettings }): ReactNode {
  const isMoved = (values: Values): boolean => changedDestinations(pick(saved), trimmed(values)).length > 0;
  const form = useForm({
    initial: { ...pick(saved), current_password: "" },
    schema: WalletSettingsForm.check(
      z.refine((values) => values.current_password !== "" || !isMoved(values), {
        error: code("current_password_missing"),
        path: ["current_password"],
      }),
    ),
    mutationFn: ({ current_password, ...settings }) =>
      api.walletSettings.put({ ...settings, ...(isMoved(settings) ? { current_password } : {}) }),
    onSuccess: (stored) => {
      queryClient.setQueryData(walletSettingsOptions.queryKey, stored);
      form.replaceValues({ ...pick(stored), current_password: "" });
    },
    fieldOfCode: { password_confirmation_wrong: "current_password" },
  });
  const { field } = form;

  return (
    <Panel aria-label="Wallet settings">
      <PanelTitle>Wallet settings</PanelTitle>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        {saved.is_sample && (
          <Banner tone="caution" title="Sample details – do not pay">
            Students see the same warning until you save your own addresses.
          </Banner>
        )}
        <TextField
          label="Bitcoin address"
          className="font-figures"
          autoComplete="off"
          spellCheck={false}
          required
          {...field("bitcoin_address")}
        />
        <TextField
          label="Ethereum address"
          className="font-figures"
          autoComplete="off"
          spellCheck={false}
          required
          {...field("ethereum_address")}
        />
        <div className="grid gap-5 sm:grid-cols-2">
          <PriceField
            coin="bitcoin"
            label="Bitcoin price (USD)"
            onPrice={(usd) => form.set({ bitcoin_price_usd: usd })}
            {...field("bitcoin_price_usd")}
          />
          <PriceField
            coin="ethereum"
            label="Ethereum price (USD)"
            onPrice={(usd) => form.set({ ethereum_price_usd: usd })}
            {...field("ethereum_price_usd")}
          />
        </div>
        <fieldset className="grid gap-5 border-t border-line pt-5">
          <legend className="sr-only">Thai bank account</legend>
          <p className="text-small text-muted">
            Thai bank transfer, optional. Without a bank and an account number, students cannot choose it.
          </p>
          <div className="grid gap-5 sm:grid-cols-2">
            {bankFields.map(({ name, label }) => (
              <TextField key={name} label={label} autoComplete="off" {...field(name)} />
            ))}
            <TextField
              label="PromptPay ID"
              aside={<span className="text-small text-muted">Optional</span>}
              hint="Mobile number, national or tax ID, or e-wallet of the same account: adds a QR code."
              autoComplete="off"
              inputMode="tel"
              {...field("promptpay_id")}
            />
          </div>
        </fieldset>
        {isMoved(form.values) && (
          <PasswordField
            label="Your current password"
            hint="Needed because an address or the account changes."
            autoComplete="current-password"
            {...field("current_password")}
          />
        )}
        {form.error !== undefined && <Banner tone="loss">{form.error}</Banner>}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={form.isPending}>
            {form.isPending && <Spinner />}
            {form.isPending ? "Saving..." : "Save settings"}
          </Button>
          <p role="status" className="text-small text-gain">
            {form.result ? "Saved." : ""}
          </p>
        </div>
      </form>
    </Panel>
  );
}

function pick(settings: Values): Values {
  return Object.fromEntries(fieldNames.map((name) => [name, settings[name]])) as Values;
}

function trimmed(values: Values): Values {
  return Object.fromEntries(fieldNames.map((name) => [name, values[name].trim()])) as Values;
}
