import { useEffect, useState, type ReactNode } from "react";
import { useBlocker } from "react-router";
import { giveCode } from "../../entities/session/account-calls.ts";
import { isLogout } from "../../entities/session/session.tsx";
import { isTransient } from "../../platform/errors.ts";
import { useForm } from "../../platform/form.ts";
import { siteName } from "../../platform/site.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { ConfirmDialog } from "../../ui/dialog.tsx";
import { FormError } from "../../ui/form-error.tsx";
import { QrCode } from "../../ui/qr-code.tsx";
import type { Enrolment } from "./calls.ts";
import { CodeField, CodeForm } from "./code-field.tsx";
import { refreshAccount } from "./queries.ts";

interface EnrolmentStepsProps {
  enrolment: Enrolment;
  onDone: () => void;
}

/** Steps to set up a second factor: add the secret to the app, enter a first code, save the recovery codes, which are displayed once. */
export function EnrolmentSteps({ enrolment, onDone }: EnrolmentStepsProps): ReactNode {
  const [isVerified, setVerified] = useState(false);
  const firstCode = useFirstCode(enrolment, () => setVerified(true));
  return (
    <>
      {isVerified ? (
        <RecoveryCodes codes={enrolment.recoveryCodes} onDone={onDone} />
      ) : (
        <FirstCode enrolment={enrolment} {...firstCode} onCancel={onDone} />
      )}
      {/* One for both steps, so that it stands without a gap between them. */}
      {(firstCode.form.isPending || firstCode.isUnanswered || isVerified) && (
        <LeaveQuestion>
          {isVerified
            ? "They are not shown again. Without them and without your phone you cannot sign in."
            : "Two-step sign-in may be on already, and its recovery codes are shown only here. Without them and without your phone you cannot sign in."}
        </LeaveQuestion>
      )}
    </>
  );
}

function useFirstCode({ factorId }: Enrolment, onVerified: () => void) {
  // Whether a reply was lost: the code may have counted, and the next one then leads on to the recovery codes.
  const [isUnanswered, setUnanswered] = useState(false);
  const form = useForm({
    initial: { code: "" },
    schema: CodeForm,
    mutationFn: async ({ code: typed }) => {
      try {
        await giveCode(factorId, typed);
      } catch (thrown) {
        if (isTransient(thrown)) setUnanswered(true);
        throw thrown;
      }
    },
    onSuccess: async () => {
      onVerified();
      await refreshAccount();
    },
    fieldOfCode: { verification_code_incomplete: "code", second_factor_code_invalid: "code" },
  });
  return { form, isUnanswered };
}

type FirstCodeProps = ReturnType<typeof useFirstCode> & { enrolment: Enrolment; onCancel: () => void };

function FirstCode({ enrolment: { uri, secret }, form, isUnanswered, onCancel }: FirstCodeProps): ReactNode {
  return (
    <form className="grid gap-5" onSubmit={form.onSubmit} noValidate>
      <p className="text-small text-muted">Scan this with your authenticator app, then enter the code it shows.</p>
      <div className="flex flex-wrap items-center gap-5">
        <QrCode text={uri} label="QR code for your authenticator app" className="w-44 max-w-full" />
        <div className="grid min-w-0 flex-1 basis-48 gap-3">
          <div>
            <p className="text-small text-muted">Or enter this key:</p>
            <p className="font-figures text-small" translate="no">
              {secret.match(/.{1,4}/g)?.join(" ")}
            </p>
          </div>
          <div className="flex flex-wrap gap-2">
            <CopyButton text={secret} what="the key" />
            <a href={uri} className={buttonClass("link", "compact", "px-1 sm:hidden")}>
              Open in the app
            </a>
          </div>
        </div>
      </div>
      <CodeField label="Code from the app" {...form.field("code")} onCode={(typed) => form.set({ code: typed })} />
      <FormError form={form} />
      <div className="flex flex-wrap gap-3">
        <Button type="submit" isBusy={form.isPending}>
          Turn on
        </Button>
        {!isUnanswered && (
          <Button variant="secondary" disabled={form.isPending} onClick={onCancel}>
            Cancel
          </Button>
        )}
      </div>
    </form>
  );
}

function RecoveryCodes({ codes, onDone }: { codes: string[]; onDone: () => void }): ReactNode {
  const text = codes.join("\n");
  return (
    <div className="grid gap-5">
      <Banner tone="gain" title="Two-step sign-in is on">
        Keep these recovery codes in a safe place. Without your phone, each signs you in once. They are not shown again.
      </Banner>
      <ul
        aria-label="Recovery codes"
        translate="no"
        className="grid grid-cols-2 gap-x-6 gap-y-2 rounded-control bg-raised p-4 font-figures text-small"
      >
        {codes.map((recoveryCode) => (
          <li key={recoveryCode}>{recoveryCode}</li>
        ))}
      </ul>
      <div className="flex flex-wrap gap-3">
        <CopyButton text={text} what="the recovery codes" />
        <a
          href={`data:text/plain;charset=utf-8,${encodeURIComponent(`${siteName()}: recovery codes\n\n${text}\n`)}`}
          download="recovery-codes.txt"
          className={buttonClass("secondary", "compact")}
        >
          Save as a file
        </a>
      </div>
      <Button className="w-fit" onClick={onDone}>
        I have kept them
      </Button>
    </div>
  );
}

/** Asks before codes that nothing else has are left. */
function LeaveQuestion({ children }: { children: ReactNode }): ReactNode {
  const blocker = useBlocker(({ nextLocation }) => !isLogout(nextLocation));
  useEffect(() => {
    const warn = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener("beforeunload", warn);
    return () => removeEventListener("beforeunload", warn);
  }, []);
  return (
    <ConfirmDialog
      open={blocker.state === "blocked"}
      title="Leave without the recovery codes?"
      confirmLabel="Leave"
      isDangerous
      onConfirm={() => blocker.proceed?.()}
      onCancel={() => blocker.reset?.()}
    >
      <p>{children}</p>
    </ConfirmDialog>
  );
}
