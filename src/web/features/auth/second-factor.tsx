import { useMutation } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import { codeLength, digitsOf, isCompleteCode } from "#domain/accounts/verification";
import { texts } from "#domain/texts/texts";
import { fetchUser, giveCode, renewSession } from "../../entities/session/account-calls.ts";
import { refreshMe } from "../../entities/session/session.tsx";
import { endSession } from "../../platform/auth-client.ts";
import { isBeyondUser, isTransient, messageOf, refusal } from "../../platform/errors.ts";
import { useTitle } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { CodeBoxes } from "../../ui/code-boxes.tsx";
import { TextField } from "../../ui/field.tsx";
import { Frame, TextButton } from "./frame.tsx";

type Kind = "app" | "recovery";

/** The code that is typed, of either kind, and its check. */
function useCodeCheck() {
  const [kind, setKind] = useState<Kind>("app");
  const [code, setCode] = useState("");
  const [tries, setTries] = useState(0);
  const isComplete = kind === "app" ? isCompleteCode(code) : code.trim() !== "";
  const verification = useMutation({
    mutationFn: async () => {
      if (!isComplete) throw refusal("verification_code_incomplete");
      const { factor } = await fetchUser();
      // Turned off meanwhile: new tokens no longer ask for it.
      await (factor ? giveCode(factor.id, code) : renewSession());
      await refreshMe();
    },
    onError: (error) => {
      // A wrong code is typed again, not corrected; one that was not tried is sent again. The field gets the focus.
      if (!isTransient(error)) setCode("");
      setTries((before) => before + 1);
    },
  });
  const type = (text: string): void => {
    verification.reset();
    setCode(text);
  };
  return {
    kind,
    code,
    tries,
    type,
    isComplete,
    isBusy: verification.isPending || verification.isSuccess,
    error: verification.error,
    verify: verification.mutate,
    /** Asks for the other kind. */
    change: (): void => {
      type("");
      setKind(kind === "app" ? "recovery" : "app");
    },
  };
}

/** Asks for the code of the second factor, which sign-in needs before anything else opens (FACTOR-2). */
export function SecondFactor(): ReactNode {
  const check = useCodeCheck();
  const { kind, error, isBusy } = check;
  useTitle("Two-step sign-in");
  return (
    <Frame
      title="Two-step sign-in"
      lead={
        kind === "app"
          ? "Enter the 6-digit code from your authenticator app."
          : "Enter one of the recovery codes that you kept. Each works once."
      }
    >
      <form
        className="grid gap-5"
        onSubmit={(event) => {
          event.preventDefault();
          if (!isBusy) check.verify();
        }}
        noValidate
      >
        <CodeField {...check} />
        {error && (
          <Banner id={errorId} tone="loss" offersHelp={isBeyondUser(error)}>
            {messageOf(error, "unavailable")}
          </Banner>
        )}
        <Button type="submit" size="large" isBusy={isBusy} disabled={!check.isComplete}>
          {isBusy ? texts.auth.busy : texts.auth.signIn}
        </Button>
      </form>
      <div className="grid gap-3 border-t border-line pt-5">
        <p className="flex flex-wrap items-center gap-x-2 text-small text-muted">
          {kind === "app" ? "Without your phone?" : "Phone at hand?"}
          <TextButton disabled={isBusy} onClick={check.change}>
            {kind === "app" ? "Use a recovery code" : "Use the app"}
          </TextButton>
        </p>
        <p>
          <Button variant="secondary" size="compact" disabled={isBusy} onClick={() => void endSession()}>
            {texts.verification.back}
          </Button>
        </p>
      </div>
    </Frame>
  );
}

const errorId = "code-error";

function CodeField({ kind, code, tries, type, error, isBusy }: ReturnType<typeof useCodeCheck>): ReactNode {
  return kind === "app" ? (
    <CodeBoxes
      key={tries}
      label="Code from the app"
      length={codeLength}
      value={code}
      onChange={(next) => type(digitsOf(next))}
      disabled={isBusy}
      invalid={error !== null}
      describedBy={error === null ? undefined : errorId}
    />
  ) : (
    <TextField
      key={tries}
      label="Recovery code"
      className="font-figures"
      autoComplete="off"
      autoCapitalize="off"
      spellCheck={false}
      autoFocus
      value={code}
      onChange={(event) => type(event.target.value)}
      disabled={isBusy}
      aria-invalid={error === null ? undefined : true}
      aria-describedby={error === null ? undefined : errorId}
    />
  );
}
