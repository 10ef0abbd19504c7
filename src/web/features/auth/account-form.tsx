import { useState, type SubmitEvent, type ReactNode } from "react";
import { errors } from "#domain/messages";
import { texts } from "#domain/texts";
import { fieldOfFault, focusField } from "./faults.ts";
import { auth, authMessageOf } from "../../platform/auth-client.ts";
import { refusal } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Frame, TextButton } from "./frame.tsx";

export type AccountMode = "login" | "sign-up";

interface AccountFormProps {
  mode: AccountMode;
  onMode: (mode: AccountMode) => void;
  onForgot: () => void;
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

export function AccountForm({ mode, onMode, onForgot, onSignedUp }: AccountFormProps): ReactNode {
  const [fullName, setFullName] = useState("");
  const [email, setEmail] = useState("");
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [notice, setNotice] = useState<string>();
  const [isBusy, setBusy] = useState(false);
  const isSignUp = mode === "sign-up";
  const { title, lead, submit, question, other } = words[mode];
  useTitle(title);

  const enter = async (): Promise<string | undefined> => {
    if (import.meta.env.MODE === "demo") return refusal("backend_not_configured");
    if (!isSignUp) {
      const answer = await auth.signInWithPassword({ email: email.trim(), password });
      return answer.error ? authMessageOf(answer.error) : undefined;
    }
    if (fullName.trim() === "") return errors.full_name_missing.text;
    const who = { email: email.trim(), fullName: fullName.trim() };
    const answer = await auth.signUp({ email: who.email, password, options: { data: { full_name: who.fullName } } });
    if (answer.error) return authMessageOf(answer.error);
    if (answer.data.session) onSignedUp(who);
    else setNotice("Please look into your mailbox to go on.");
    return undefined;
  };

  const submitForm = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setError(undefined);
    setNotice(undefined);
    try {
      const fault = await enter();
      setError(fault);
      focusField(form, fieldOfFault(fault));
    } catch (thrown) {
      setError(authMessageOf(thrown));
    } finally {
      setBusy(false);
    }
  };

  const at = fieldOfFault(error);
  const faultOf = (field: string): string | undefined => (field === at ? error : undefined);
  const change = (): void => {
    setError(undefined);
    setNotice(undefined);
    onMode(isSignUp ? "login" : "sign-up");
  };

  return (
    <Frame title={title} lead={lead}>
      <form className="grid gap-5" onSubmit={(event) => void submitForm(event)}>
        {isSignUp && (
          <TextField
            label={texts.auth.fullName}
            name="full_name"
            autoComplete="name"
            required
            maxLength={100}
            value={fullName}
            error={faultOf("full_name")}
            onChange={(event) => setFullName(event.target.value)}
          />
        )}
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete={isSignUp ? "email" : "username"}
          inputMode="email"
          required
          value={email}
          error={faultOf("email")}
          onChange={(event) => setEmail(event.target.value)}
        />
        <PasswordField
          label="Password"
          name="password"
          autoComplete={isSignUp ? "new-password" : "current-password"}
          required
          {...(isSignUp ? { hint: "At least 8 characters." } : {})}
          value={password}
          error={faultOf("password")}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error !== undefined && at === undefined && <Banner tone="loss">{error}</Banner>}
        {notice !== undefined && <Banner>{notice}</Banner>}
        <Button type="submit" size="large" disabled={isBusy}>
          {isBusy && <Spinner />}
          {isBusy ? texts.auth.busy : submit}
        </Button>
      </form>
      <div className="grid gap-1 border-t border-line pt-5">
        <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
          {question} <TextButton onClick={change}>{other}</TextButton>
        </p>
        {!isSignUp && (
          <p>
            <TextButton onClick={onForgot}>Forgot your password?</TextButton>
          </p>
        )}
      </div>
    </Frame>
  );
}
