import { useState, type ReactNode } from "react";
import * as z from "zod/mini";
import { code } from "#domain/api/fields";
import { errors } from "#domain/errors/messages";
import { packages, type PackageType } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { forgetSessionLoss, wasSessionLost } from "../../platform/auth-client.ts";
import { usd } from "../../platform/format.ts";
import { useForm } from "../../platform/form.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { fieldOfCode, newPassword, signIn, signUp } from "../../entities/session/account-calls.ts";
import { Frame, TextButton } from "./frame.tsx";

export type AccountMode = "login" | "sign-up";

interface AccountFormProps {
  mode: AccountMode;
  /** The package that is bought afterwards. */
  chosen: PackageType | undefined;
  /** What the field of the address begins with. */
  email: string;
  onMode: (mode: AccountMode) => void;
  /** `email` is what was typed. */
  onForgot: (email: string) => void;
  /** A new account is there and signed in: its code is to be sent. */
  onSignedUp: (who: { email: string; fullName: string }) => void;
}

const words = {
  login: {
    title: texts.auth.signInTitle,
    lead: "Sign in to your trading course.",
    submit: texts.auth.signIn,
    question: "No account yet?",
    other: "Sign up",
  },
  "sign-up": {
    title: texts.auth.signUpTitle,
    lead: "Free until you choose a package. We will send a code to your email.",
    submit: texts.auth.signUp,
    question: "Already have an account?",
    other: "Log in",
  },
};

const Account = z.object({
  email: z.string().check(z.trim()),
  password: z.string(),
  full_name: z.string(),
});
const NewAccount = z.extend(Account, {
  email: z.string().check(z.trim(), z.minLength(1, code("email_invalid"))),
  password: newPassword,
  full_name: z.string().check(z.trim(), z.minLength(1, code("full_name_missing"))),
});

export function AccountForm({ mode, chosen, email, onMode, onForgot, onSignedUp }: AccountFormProps): ReactNode {
  const isSignUp = mode === "sign-up";
  const { title, lead, submit, question, other } = words[mode];
  useTitle(title);
  const form = useForm({
    initial: { email, password: "", full_name: "" },
    schema: isSignUp ? NewAccount : Account,
    mutationFn: async (account) => {
      const isSignedIn = isSignUp ? await signUp(account) : await signIn(account);
      if (isSignUp && isSignedIn) onSignedUp({ email: account.email, fullName: account.full_name });
      return isSignedIn;
    },
    fieldOfCode,
  });
  const change = (): void => {
    form.clear();
    onMode(isSignUp ? "login" : "sign-up");
  };

  return (
    <Frame title={title} lead={chosen === undefined ? lead : leadTo(chosen)[mode]}>
      <SessionLoss />
      {/* A browser has words of its own for an address that is to be refused in those of ACCOUNT-2. */}
      <form className="grid gap-5" onSubmit={form.onSubmit} noValidate={isSignUp}>
        {isSignUp && (
          <TextField label={texts.auth.fullName} autoComplete="name" required maxLength={100} {...form.field("full_name")} />
        )}
        <TextField
          label="Email"
          type="email"
          autoComplete={isSignUp ? "email" : "username"}
          inputMode="email"
          required
          {...form.field("email")}
        />
        <PasswordField
          label="Password"
          autoComplete={isSignUp ? "new-password" : "current-password"}
          required
          {...(isSignUp ? { hint: "At least 8 characters." } : {})}
          {...form.field("password")}
        />
        <FormError form={form} />
        {form.result === false && <Banner>Please look into your mailbox to go on.</Banner>}
        <Button type="submit" size="large" isBusy={form.isPending}>
          {form.isPending ? texts.auth.busy : submit}
        </Button>
      </form>
      <div className="grid gap-1 border-t border-line pt-5">
        <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
          {question} <TextButton onClick={change}>{other}</TextButton>
        </p>
        {!isSignUp && (
          <p>
            <TextButton onClick={() => onForgot(form.values.email)}>{texts.auth.forgotPassword}</TextButton>
          </p>
        )}
      </div>
    </Frame>
  );
}

/** Names the package that was chosen, so that nobody wonders whether the choice arrived (JOURNEY-2). */
function leadTo(chosen: PackageType): Record<AccountMode, ReactNode> {
  const { name, priceUsd } = packages[chosen];
  const named = <strong className="font-medium text-ink">{name}</strong>;
  return {
    login: <>Sign in to your trading course to go on with {named}.</>,
    "sign-up": (
      <>
        You chose {named}, {usd(priceUsd)} USD, one-time. Your account comes first; we will send a code to your email.
      </>
    ),
  };
}

/** Says why the form is here, after a session that ended by itself (JOURNEY-3). */
function SessionLoss(): ReactNode {
  const [isOpen, setOpen] = useState(wasSessionLost);
  if (!isOpen) return null;
  const close = (): void => {
    forgetSessionLoss();
    setOpen(false);
  };
  return (
    <Banner tone="loss" title={errors.no_session.text} onClose={close}>
      Your session has ended. Sign in, and you go on where you were.
    </Banner>
  );
}
