import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Me } from "#domain/api/account";
import { code } from "#domain/api/fields";
import { changePassword, newPassword } from "../../entities/session/account-calls.ts";
import { useForm } from "../../platform/form.ts";
import { FormError } from "../../ui/form-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { refreshAccount } from "./queries.ts";
import { SaveButton } from "./save-button.tsx";

const empty = { current: "", password: "" };
const Passwords = z.object({
  current: z.string().check(z.minLength(1, code("current_password_missing"))),
  password: newPassword,
});

export function PasswordPanel({ me }: { me: Me }): ReactNode {
  const form = useForm({
    initial: empty,
    schema: Passwords,
    mutationFn: async ({ current, password }) => {
      await changePassword(password, current);
      await refreshAccount();
      return true;
    },
    onSuccess: () => {
      form.replaceValues(empty);
    },
    fieldOfCode: {
      password_confirmation_wrong: "current",
      password_weak: "password",
      password_same: "password",
      password_too_long: "password",
    },
  });
  return (
    <Panel aria-labelledby="account-password">
      <PanelTitle id="account-password">Password</PanelTitle>
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
        {/* For the password manager, which would otherwise take another field for the name. */}
        <input type="text" name="username" autoComplete="username" value={me.email} readOnly hidden />
        <PasswordField label="Current password" autoComplete="current-password" {...form.field("current")} />
        <PasswordField
          label="New password"
          autoComplete="new-password"
          hint="At least 8 characters. All your other sessions are signed out."
          {...form.field("password")}
        />
        <FormError form={form} />
        <SaveButton
          label="Change password"
          isBusy={form.isPending}
          done={form.result ? "Your password was changed." : undefined}
        />
      </form>
    </Panel>
  );
}
