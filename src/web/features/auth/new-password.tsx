import { useEffect, useState, type SubmitEvent, type ReactNode } from "react";
import { useNavigate } from "react-router";
import { errors } from "#domain/messages";
import { texts } from "#domain/texts";
import { fieldOfFault, focusField } from "./faults.ts";
import { auth, authMessageOf } from "../../platform/auth-client.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { PasswordField } from "../../ui/password-field.tsx";
import { PageLoading, Spinner } from "../../ui/spinner.tsx";
import { Frame } from "./frame.tsx";

/** Stands in the address once the link was taken, so that a reload does not try it a second time. */
const taken = "taken";

/** A link is good for one check, and effects may run twice. */
const checks = new Map<string, Promise<string | undefined>>();

function checkLink(token: string): Promise<string | undefined> {
  const known = checks.get(token);
  if (known) return known;
  const check = auth.verifyOtp({ token_hash: token, type: "recovery" }).then(
    ({ error }) => (error ? authMessageOf(error) : undefined),
    (thrown: unknown) => authMessageOf(thrown),
  );
  checks.set(token, check);
  return check;
}

/** Where the recovery mail leads: the link signs in, then the password is chosen. */
export function NewPassword({ token, isSignedIn }: { token: string; isSignedIn: boolean }): ReactNode {
  const navigate = useNavigate();
  const [problem, setProblem] = useState<string>();
  useTitle("Choose a new password");
  useEffect(() => {
    if (token === taken) return;
    let isCurrent = true;
    void checkLink(token).then((error) => {
      if (!isCurrent) return;
      if (error === undefined) void navigate(`/auth?recovery=${taken}`, { replace: true });
      else setProblem(error);
    });
    return () => {
      isCurrent = false;
    };
  }, [token, navigate]);

  if (problem === undefined && token !== taken) return <PageLoading text={texts.session.loading} />;
  if (problem !== undefined || !isSignedIn) return <DeadLink text={problem ?? errors.recovery_link_invalid.text} />;
  return <NewPasswordForm onDone={() => void navigate("/auth", { replace: true })} />;
}

function DeadLink({ text }: { text: string }): ReactNode {
  return (
    <Frame title="Choose a new password" lead="This link cannot be used.">
      <Banner tone="loss">{text}</Banner>
      <ButtonLink to="/auth" replace>
        Back to sign in
      </ButtonLink>
    </Frame>
  );
}

function NewPasswordForm({ onDone }: { onDone: () => void }): ReactNode {
  const [password, setPassword] = useState("");
  const [error, setError] = useState<string>();
  const [isBusy, setBusy] = useState(false);

  const save = async (event: SubmitEvent<HTMLFormElement>): Promise<void> => {
    event.preventDefault();
    const form = event.currentTarget;
    setBusy(true);
    setError(undefined);
    try {
      const answer = await auth.updateUser({ password });
      if (!answer.error) return onDone();
      const fault = authMessageOf(answer.error);
      setError(fault);
      focusField(form, fieldOfFault(fault));
    } catch (thrown) {
      setError(authMessageOf(thrown));
    } finally {
      setBusy(false);
    }
  };

  const isAtField = fieldOfFault(error) !== undefined;
  return (
    <Frame title="Choose a new password" lead="It replaces the old one everywhere you are signed in.">
      <form className="grid gap-5" onSubmit={(event) => void save(event)}>
        <PasswordField
          label="New password"
          name="password"
          autoComplete="new-password"
          hint="At least 8 characters."
          required
          value={password}
          error={isAtField ? error : undefined}
          onChange={(event) => setPassword(event.target.value)}
        />
        {error !== undefined && !isAtField && <Banner tone="loss">{error}</Banner>}
        <Button type="submit" size="large" disabled={isBusy}>
          {isBusy && <Spinner />}
          {isBusy ? texts.auth.busy : "Save the new password"}
        </Button>
      </form>
    </Frame>
  );
}
