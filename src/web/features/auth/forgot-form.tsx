import { useState, type SubmitEvent, type ReactNode } from "react";
import { texts } from "#domain/texts";
import { auth, authMessageOf } from "../../platform/auth-client.ts";
import { refusal } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { TextField } from "../../ui/field.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Frame } from "./frame.tsx";

/** Asks for a recovery mail; the answer is the same whether or not the address has an account (decisions 19). */
export function ForgotForm({ onBack }: { onBack: () => void }): ReactNode {
  const [email, setEmail] = useState("");
  const [error, setError] = useState<string>();
  const [isSent, setSent] = useState(false);
  const [isBusy, setBusy] = useState(false);
  useTitle("Reset your password");

  const request = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    if (import.meta.env.MODE === "demo") return setError(refusal("backend_not_configured"));
    setBusy(true);
    setError(undefined);
    try {
      const answer = await auth.resetPasswordForEmail(email.trim());
      if (answer.error) setError(authMessageOf(answer.error));
      else setSent(true);
    } catch (thrown) {
      setError(authMessageOf(thrown));
    } finally {
      setBusy(false);
    }
  };

  return (
    <Frame title="Reset your password" lead="We will mail you a link to choose a new one.">
      <form className="grid gap-5" onSubmit={(event) => void request(event)}>
        <TextField
          label="Email"
          name="email"
          type="email"
          autoComplete="username"
          inputMode="email"
          required
          value={email}
          onChange={(event) => {
            setEmail(event.target.value);
            setSent(false);
          }}
        />
        {error !== undefined && <Banner tone="loss">{error}</Banner>}
        {isSent && (
          <Banner tone="gain" title="Please check your mailbox">
            If there is an account for this address, a link is on its way. Look into the spam folder too.
          </Banner>
        )}
        <Button type="submit" size="large" disabled={isBusy || isSent}>
          {isBusy && <Spinner />}
          {isBusy ? texts.auth.busy : "Send the link"}
        </Button>
      </form>
      <div className="border-t border-line pt-5">
        <Button kind="secondary" size="small" onClick={onBack}>
          {texts.verification.back}
        </Button>
      </div>
    </Frame>
  );
}
