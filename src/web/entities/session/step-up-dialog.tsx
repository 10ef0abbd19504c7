import type { ReactNode } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { api } from "../../platform/api.ts";
import { productErrorOf } from "../../platform/errors.ts";
import { useForm } from "../../platform/form.ts";
import { settleStepUp } from "../../platform/step-up.ts";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { TextField } from "../../ui/field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { refreshMe, useSession } from "./session.tsx";

/** Asks for the password, or for a code where the account has a second factor (STEPUP-1). */
export function StepUpDialog(): ReactNode {
  const session = useSession();
  const takesCode = session.status === "signed-in" && session.me.second_factor;
  // A password that was typed is not for the field of the code, which shows it.
  return <ProofDialog key={String(takesCode)} takesCode={takesCode} />;
}

function ProofDialog({ takesCode }: { takesCode: boolean }): ReactNode {
  const missing = takesCode ? "code_missing" : "current_password_missing";
  const form = useForm({
    initial: { proof: "" },
    schema: z.object({ proof: z.string().check(z.minLength(1, code(missing))) }),
    mutationFn: ({ proof }) => api.account.stepUp(takesCode ? { totp: proof } : { current_password: proof }),
    onSuccess: () => settleStepUp(true),
    // The server wants the other proof: the second factor was turned on or off elsewhere.
    onError: (error) => (productErrorOf(error).code === "invalid_input" ? refreshMe() : undefined),
    fieldOfCode: { password_confirmation_wrong: "proof", second_factor_code_invalid: "proof" },
  });
  return (
    <ConfirmDialog
      open
      title="Confirm that it is you"
      confirmLabel="Confirm"
      isBusy={form.isPending}
      error={form.error}
      offersHelp={form.offersHelp}
      onConfirm={form.onSubmit}
      onCancel={() => settleStepUp(false)}
    >
      <p>This is a change that matters. You will not be asked again for ten minutes.</p>
      {takesCode ? (
        <TextField
          label="Code"
          hint="The 6 digits of your authenticator app, or a recovery code."
          autoComplete="one-time-code"
          className="figures"
          {...form.field("proof")}
        />
      ) : (
        <PasswordField label="Your password" autoComplete="current-password" {...form.field("proof")} />
      )}
    </ConfirmDialog>
  );
}
