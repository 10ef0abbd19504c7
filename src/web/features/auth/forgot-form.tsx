import type { ReactNode } from "react";
import * as z from "zod/mini";
import { texts } from "#domain/texts/texts";
import { useForm } from "../../platform/form.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { requestRecovery } from "../../entities/session/account-calls.ts";
import { Frame } from "./frame.tsx";

const Recovery = z.object({ email: z.string().check(z.trim()) });

interface ForgotFormProps {
  next: string | undefined;
  /** What was typed into the form before. */
  email: string;
  onEmail: (typed: string) => void;
  onBack: () => void;
}

/** Asks for a recovery mail; the reply is the same whether or not the address has an account (ACCOUNT-3). */
export function ForgotForm({ next, email, onEmail, onBack }: ForgotFormProps): ReactNode {
  useTitle("Reset your password");
  const form = useForm({
    initial: { email },
    schema: Recovery,
    mutationFn: async (typed) => {
      await requestRecovery(typed.email, next);
      return true;
    },
  });
  const field = form.field("email");
  const onChange = (event: { target: { value: string } }): void => {
    field.onChange(event);
    onEmail(event.target.value);
  };
  const isSent = form.result === true;

  return (
    <Frame title="Reset your password" lead="We will mail you a link to choose a new one.">
      <form className="grid gap-5" onSubmit={form.onSubmit}>
        <TextField
          label="Email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          {...field}
          onChange={onChange}
        />
        <FormError form={form} />
        {isSent && (
          <Banner tone="gain" title="Please check your mailbox">
            If there is an account for this address, a link is on its way. Look into the spam folder too.
          </Banner>
        )}
        <Button type="submit" size="large" isBusy={form.isPending}>
          {form.isPending ? texts.auth.busy : "Send the link"}
        </Button>
      </form>
      <div className="border-t border-line pt-5">
        <Button variant="secondary" size="compact" onClick={onBack}>
          {texts.verification.back}
        </Button>
      </div>
    </Frame>
  );
}
