import { useState, type SubmitEvent, type ReactNode } from "react";
import { WalletSettingsForm, type WalletSettings } from "#domain/api/wallet-settings";
import { ProductError } from "#domain/messages";
import { changedDestinations } from "#domain/wallet-settings";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { queryClient, queryKeys } from "../../platform/query-client.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { checkForm, focusFirstError, type FieldErrors } from "./field-errors.ts";
import { PriceField } from "./price-field.tsx";

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

/** Where payments go. Changing an address or the account needs the admin's password, since that is where the money goes. */
export function WalletForm({ saved }: { saved: WalletSettings }): ReactNode {
  const [values, setValues] = useState<Values>(() => pick(saved));
  const [password, setPassword] = useState("");
  const [errors, setErrors] = useState<FieldErrors>({});
  const [error, setError] = useState<string>();
  const [state, setState] = useState<"idle" | "saving" | "saved">("idle");
  const needsPassword = changedDestinations(pick(saved), trimmed(values)).length > 0;

  const set = (name: keyof Values, value: string): void => {
    setValues((before) => ({ ...before, [name]: value }));
    setErrors((before) => ({ ...before, [name]: undefined }));
    setState("idle");
  };

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setError(undefined);
    const checked = checkForm(WalletSettingsForm, values);
    const problems =
      checked.errors ?? (needsPassword && password === "" ? { password: "Please enter your current password." } : undefined);
    if (problems || !checked.data) {
      setErrors(problems ?? {});
      return focusFirstError(form);
    }
    setState("saving");
    try {
      const answer = await api.walletSettings.put({
        ...checked.data,
        ...(needsPassword ? { current_password: password } : {}),
      });
      queryClient.setQueryData(queryKeys.walletSettings, answer);
      setValues(pick(answer));
      setPassword("");
      setState("saved");
    } catch (thrown) {
      setState("idle");
      const isWrongPassword = thrown instanceof ProductError && thrown.code === "password_confirmation_wrong";
      if (isWrongPassword) {
        setErrors({ password: thrown.message });
        focusFirstError(form);
      } else setError(messageOf(thrown, "unexpected"));
    }
  };

  const field = (name: keyof Values) => ({
    name,
    value: values[name],
    error: errors[name],
    onChange: (event: { target: { value: string } }) => set(name, event.target.value),
  });

  return (
    <Panel aria-label="Wallet settings">
      <PanelTitle>Wallet settings</PanelTitle>
      <form className="grid gap-5" onSubmit={(event) => void save(event)} noValidate>
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
            onPrice={(usd) => set("bitcoin_price_usd", usd)}
            {...field("bitcoin_price_usd")}
          />
          <PriceField
            coin="ethereum"
            label="Ethereum price (USD)"
            onPrice={(usd) => set("ethereum_price_usd", usd)}
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
        {needsPassword && (
          <PasswordField
            label="Your current password"
            hint="Needed because an address or the account changes."
            name="current_password"
            autoComplete="current-password"
            value={password}
            error={errors["password"]}
            onChange={(event) => {
              setPassword(event.target.value);
              setErrors((before) => ({ ...before, password: undefined }));
            }}
          />
        )}
        {error !== undefined && <Banner tone="loss">{error}</Banner>}
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" disabled={state === "saving"}>
            {state === "saving" && <Spinner />}
            {state === "saving" ? "Saving..." : "Save settings"}
          </Button>
          <p role="status" className="text-small text-gain">
            {state === "saved" ? "Saved." : ""}
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
