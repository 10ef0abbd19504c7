import { useMutation } from "@tanstack/react-query";
import type { ReactNode } from "react";
import * as z from "zod/mini";
import type { Me } from "#domain/api/account";
import { code } from "#domain/api/fields";
import { fieldOfCode } from "../../entities/session/account-calls.ts";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { useForm } from "../../platform/form.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { confirmEmail, requestEmail } from "./calls.ts";
import { CodeField, CodeForm } from "./code-field.tsx";
import { refreshAccount, useUser } from "./queries.ts";
import { SaveButton } from "./save-button.tsx";

/** The e-mail address; a new one takes effect once its mailed code is entered (OWN-3). */
export function EmailPanel({ me }: { me: Me }): ReactNode {
  const user = useUser();
  const newEmail = user.data?.newEmail;
  return (
    <Panel aria-labelledby="account-email">
      <PanelTitle id="account-email">Email</PanelTitle>
      {me.role === "admin" ? (
        <p className="text-small text-muted">
          <span className="wrap-anywhere text-ink">{me.email}</span> is the address of the administrator. It is a setting of the
          server, ADMIN_EMAIL, and is changed there.
        </p>
      ) : newEmail === undefined ? (
        <NewEmail me={me} />
      ) : (
        <ProveEmail me={me} newEmail={newEmail} />
      )}
    </Panel>
  );
}

const newEmailOf = ({ email: present }: Me) =>
  z.object({
    email: z.string().check(
      z.trim(),
      z.minLength(1, code("email_invalid")),
      // The server would take it for the end of a change that was requested (OWN-3).
      z.refine((email) => email.toLowerCase() !== present, code("email_same")),
    ),
  });

function NewEmail({ me }: { me: Me }): ReactNode {
  const form = useForm({
    initial: { email: "" },
    schema: newEmailOf(me),
    mutationFn: async ({ email }) => {
      await requestEmail(email);
      await refreshAccount();
    },
    // The code was mailed where only the reply was lost. Not awaited: the error is displayed meanwhile.
    onError: () => void refreshAccount(),
    fieldOfCode: { email_invalid: fieldOfCode.email_invalid, email_reserved: fieldOfCode.email_reserved },
  });
  return (
    <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
      <TextField
        label="New email address"
        hint="We mail a code there. Until you enter it, your present address stays."
        type="email"
        inputMode="email"
        autoComplete="email"
        {...form.field("email")}
      />
      <FormError form={form} />
      <SaveButton label="Send the code" isBusy={form.isPending} />
    </form>
  );
}

function ProveEmail({ me, newEmail }: { me: Me; newEmail: string }): ReactNode {
  const form = useForm({
    initial: { code: "" },
    schema: CodeForm,
    mutationFn: async ({ code: typed }) => {
      await confirmEmail(newEmail, typed);
      await refreshAccount();
    },
    fieldOfCode: { verification_code_incomplete: "code", verification_code_invalid: "code" },
  });
  const resend = useMutation({ mutationFn: () => requestEmail(newEmail) });
  const giveUp = useMutation({ mutationFn: () => requestEmail(me.email), onSuccess: refreshAccount });
  const failed = resend.error ?? giveUp.error ?? undefined;
  const problem = form.error ?? (failed && messageOf(failed, "resend_failed"));
  return (
    <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
      <p className="text-small text-muted">
        Enter the 6-digit code we sent to <strong className="font-medium wrap-anywhere text-ink">{newEmail}</strong>. It expires
        in 10 minutes.
      </p>
      <CodeField label="Code from the mail" {...form.field("code")} onCode={(typed) => form.set({ code: typed })} />
      {problem !== undefined && (
        <Banner tone="loss" offersHelp={form.offersHelp || (failed !== undefined && isBeyondUser(failed))}>
          {problem}
        </Banner>
      )}
      <SaveButton
        label="Use the new address"
        isBusy={form.isPending}
        done={resend.isSuccess ? "Another code is on its way." : undefined}
      />
      <div className="flex flex-wrap gap-x-3 border-t border-line pt-4">
        <Button variant="link" size="compact" className="px-0" disabled={resend.isPending} onClick={() => resend.mutate()}>
          Send another code
        </Button>
        <Button variant="quiet" size="compact" disabled={giveUp.isPending} onClick={() => giveUp.mutate()}>
          Keep my present address
        </Button>
      </div>
    </form>
  );
}
