import type { ComponentProps, ReactNode } from "react";
import type { WalletSettings } from "#domain/api/payments/wallet-settings";
import { fieldTexts } from "#domain/errors/field-texts";
import { sampleDestinations } from "#domain/payment-methods/sample";
import { priceNames, settingsField, settingsNames, type SettingsName } from "#domain/payment-methods/settings";
import type { SettingsField } from "#domain/payment-methods/settings-fields";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { TextField } from "../../../ui/field.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { PasswordField } from "../../../ui/password-field.tsx";
import { useUnsaved } from "../editing/leave-guard.tsx";
import { AccountKeyField } from "./account-key-field.tsx";
import { ChangesDialog } from "./changes-dialog.tsx";
import { useGuardedChanges } from "./guard/queries.ts";
import { WaitingDestinations } from "./guard/waiting-destinations.tsx";
import { OwnDigitsField } from "./own-digits-field.tsx";
import { PriceField } from "./price-field.tsx";
import { useWalletForm } from "./use-wallet-form.ts";

const namesOf = (kind: SettingsField["kind"]): SettingsName[] =>
  settingsNames.filter((name) => settingsField(name).kind === kind);

/** Where payments go. A changed address, key or account needs the admin's password. */
export function WalletForm({ saved }: { saved: WalletSettings }): ReactNode {
  const { form, changes, needsPassword, isPasswordMissing, isConfirming, onSubmit, confirm, cancel } = useWalletForm(saved);
  const { field } = form;
  const waiting = useGuardedChanges().data?.takes_effect ?? [];
  const text = "The wallet settings have changes that are not saved.";
  useUnsaved(changes.length > 0, { tab: "settings", text, onDiscard: form.reset });
  return (
    <Panel aria-label="Wallet settings">
      <PanelTitle>Wallet settings</PanelTitle>
      <form className="grid gap-5" onSubmit={onSubmit} noValidate>
        {saved.is_sample && <SampleWarning saved={saved} />}
        {waiting.length > 0 && (
          <Banner isAnnounced={false}>
            <WaitingDestinations of={waiting} />
          </Banner>
        )}
        <AccountKeyField savedKey={saved.bitcoin_xpub} unused={saved.bitcoin_addresses_unused} {...field("bitcoin_xpub")} />
        {namesOf("address").map((name) => (
          <TextField
            key={name}
            label={settingsField(name).label}
            className="font-figures"
            autoComplete="off"
            spellCheck={false}
            required={settingsField(name).isRequired}
            {...field(name)}
          />
        ))}
        <div className="grid gap-5 sm:grid-cols-2">
          {priceNames.map((name) => (
            <PriceField key={name} of={name} onPrice={(usd) => form.set({ [name]: usd })} {...field(name)} />
          ))}
        </div>
        <BankAccount field={field} />
        <OwnDigitsField
          checked={form.values.unique_amounts}
          onChange={(event) => form.set({ unique_amounts: event.target.checked })}
        />
        <TextField
          label={settingsField("alert_email").label}
          hint={settingsField("alert_email").hint}
          aside={<span className="text-small text-muted">Optional</span>}
          type="email"
          autoComplete="off"
          {...field("alert_email")}
        />
        <FormError form={form} />
        <div className="flex flex-wrap items-center gap-4">
          <Button type="submit" isBusy={form.isPending}>
            {form.isPending ? "Saving..." : "Save settings"}
          </Button>
          <p role="status" className="text-small text-gain">
            {form.result ? "Saved." : ""}
          </p>
        </div>
      </form>
      <ChangesDialog open={isConfirming} changes={changes} isBusy={form.isPending} onConfirm={confirm} onCancel={cancel}>
        {needsPassword && (
          <PasswordField
            label="Your current password"
            hint="Needed because an address, a key, the account or the alert email changes."
            autoComplete="current-password"
            {...field("current_password")}
            {...(isPasswordMissing && { error: fieldTexts.current_password_missing })}
          />
        )}
      </ChangesDialog>
    </Panel>
  );
}

function SampleWarning({ saved }: { saved: WalletSettings }): ReactNode {
  return (
    <Banner tone="caution" title="Sample details – do not pay">
      Students see the same warning until you replace or remove what is made up:{" "}
      {sampleDestinations(saved)
        .map((name) => settingsField(name).label)
        .join(", ")}
      .
    </Banner>
  );
}

function BankAccount({ field }: { field: ReturnType<typeof useWalletForm>["form"]["field"] }): ReactNode {
  return (
    <fieldset className="grid gap-5 border-t border-line pt-5">
      <legend className="sr-only">Thai bank account</legend>
      <p className="text-small text-muted">
        Thai bank transfer, optional. Without a bank and an account number, students cannot choose it.
      </p>
      <div className="grid gap-5 sm:grid-cols-2">
        {namesOf("account").map((name) => (
          <AccountField key={name} of={name} {...field(name)} />
        ))}
      </div>
    </fieldset>
  );
}

function AccountField({
  of: name,
  ...rest
}: { of: SettingsName } & Omit<ComponentProps<typeof TextField>, "label">): ReactNode {
  const { label, hint } = settingsField(name);
  const optional = hint !== undefined && <span className="text-small text-muted">Optional</span>;
  return <TextField label={label} hint={hint} aside={optional} autoComplete="off" {...rest} />;
}
