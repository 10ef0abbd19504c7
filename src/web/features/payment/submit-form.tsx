import { useCallback, useRef, useState, type SubmitEvent, type ReactNode } from "react";
import type { Quote } from "#domain/api/quotes";
import { ProductError } from "#domain/messages";
import { maxReferenceLength } from "#domain/payment-request";
import { normaliseReference, referenceForms } from "#domain/reference";
import { texts } from "#domain/texts";
import { checkScreenshotFile } from "#domain/upload-rules";
import { methodCurrencies, type CryptoType } from "#domain/wallet-settings";
import { logError, messageOf, refusal } from "../../platform/errors.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Checkbox, TextField } from "../../ui/field.tsx";
import { FilePicker } from "../../ui/file-picker.tsx";
import { Panel, PanelTitle } from "../../ui/panel.tsx";
import { Progress } from "../../ui/progress.tsx";
import { Spinner } from "../../ui/spinner.tsx";
import { Renewal } from "./quote-notice.tsx";
import { useSubmission } from "./use-submission.ts";

interface SubmitFormProps {
  quote: Quote;
  method: Quote["methods"][number] | undefined;
  /** What the last renewal changed. */
  renewal: string[] | undefined;
  /** False while the amounts are being renewed: nobody submits what they have not seen. */
  isQuoteLive: boolean;
  onQuoteOver: () => void;
  onSubmitted: () => void;
}

export function SubmitForm({ quote, method, renewal, isQuoteLive, onQuoteOver, onSubmitted }: SubmitFormProps): ReactNode {
  const [file, setFile] = useState<File>();
  const [fileError, setFileError] = useState<string>();
  const [reference, setReference] = useState("");
  // Told once the student has left the field, not while they type.
  const [isReferenceDone, setReferenceDone] = useState(false);
  const referenceError = isReferenceDone && method ? referenceProblem(method.crypto_type, reference) : undefined;
  const [hasConsent, setConsent] = useState(false);
  const [consentError, setConsentError] = useState<string>();
  const referenceField = useRef<HTMLInputElement>(null);
  const { isBusy, progress, error, setError, submit } = useSubmission(onSubmitted, onQuoteOver);

  const pick = (picked: File | undefined): void => {
    if (!picked) return;
    setError(undefined);
    try {
      checkScreenshotFile(picked);
      setFile(picked);
      setFileError(undefined);
    } catch (thrown) {
      logError(thrown);
      setFile(undefined);
      setFileError(messageOf(thrown, "unexpected"));
    }
  };

  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    if (isBusy || !isQuoteLive) return;
    if (!file) return setFileError(refusal("screenshot_missing"));
    if (!hasConsent) return setConsentError(refusal("consent_missing"));
    if (!method) return;
    setReferenceDone(true);
    if (referenceProblem(method.crypto_type, reference) !== undefined) {
      logError(new ProductError("reference_invalid"));
      return referenceField.current?.focus();
    }
    void submit({ quoteId: quote.id, method: method.crypto_type, file, reference });
  };

  return (
    <Panel aria-label="Submit your payment">
      <PanelTitle>Upload your screenshot</PanelTitle>
      <form className="grid gap-5" onSubmit={send} noValidate>
        <FilePicker
          label={file ? "Choose another screenshot" : "Choose the payment screenshot"}
          hint={`An image ${texts.payment.uploadLimit}`}
          accept="image/*"
          file={file}
          error={fileError}
          disabled={isBusy}
          preview={file && <Preview file={file} />}
          onPick={pick}
        />
        <TextField
          label="Transaction reference"
          aside={<span className="text-small text-muted">Optional</span>}
          hint={
            method?.crypto_type === "thai_bank"
              ? "The bank's reference number helps us find your payment."
              : "The transaction hash helps us find your payment."
          }
          error={referenceError}
          ref={referenceField}
          name="reference"
          autoComplete="off"
          spellCheck={false}
          maxLength={maxReferenceLength}
          disabled={isBusy}
          value={reference}
          onChange={(event) => {
            setReference(event.target.value);
            setReferenceDone(false);
          }}
          onBlur={() => setReferenceDone(true)}
        />
        <Checkbox
          name="consent"
          checked={hasConsent}
          disabled={isBusy}
          error={consentError}
          onChange={(event) => {
            setConsent(event.target.checked);
            setConsentError(undefined);
          }}
          label={<Consent />}
        />
        <Renewal changes={renewal} />
        {method && (
          <p className="figures flex flex-wrap justify-between gap-x-4 border-t border-line pt-4 text-small">
            <span className="text-muted">You have sent</span>
            <span className="font-medium">
              {method.amount_crypto} {methodCurrencies[method.crypto_type]}
            </span>
          </p>
        )}
        {error !== undefined && <Banner tone="loss">{error}</Banner>}
        {progress !== undefined && <Progress label="Uploading the screenshot" value={progress} />}
        <Button type="submit" size="large" disabled={!file || !method || isBusy || !isQuoteLive}>
          {isBusy && <Spinner />}
          {isBusy ? "Submitting..." : texts.payment.submit}
        </Button>
        <p role="status" className="sr-only">
          {isBusy ? "Submitting your payment request" : ""}
        </p>
      </form>
    </Panel>
  );
}

/** What is wrong with a reference for this method; an empty one is fine. */
function referenceProblem(method: CryptoType, text: string): string | undefined {
  try {
    normaliseReference(method, text);
    return undefined;
  } catch {
    return referenceForms[method];
  }
}

function Consent(): ReactNode {
  const link = "text-action underline underline-offset-4";
  return (
    <>
      I have read the{" "}
      <a className={link} href="/#refunds" target="_blank" rel="noreferrer">
        no-refund policy
      </a>{" "}
      (all sales are final) and the{" "}
      <a className={link} href="/#risk" target="_blank" rel="noreferrer">
        risk disclaimer
      </a>
      .
    </>
  );
}

/** A small picture of the chosen file; what the browser cannot draw, such as HEIC, simply has none. */
function Preview({ file }: { file: File }): ReactNode {
  const show = useCallback(
    (image: HTMLImageElement) => {
      const url = URL.createObjectURL(file);
      image.src = url;
      return () => URL.revokeObjectURL(url);
    },
    [file],
  );
  return (
    <img
      key={file.name}
      ref={show}
      alt=""
      className="size-14 shrink-0 rounded-control object-cover"
      onError={(event) => {
        event.currentTarget.hidden = true;
      }}
    />
  );
}
