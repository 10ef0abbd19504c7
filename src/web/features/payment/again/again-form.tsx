import { useRef, useState, type SubmitEvent, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { texts } from "#domain/texts/texts";
import { useOpenScreenshot } from "../../../entities/payment-request/use-open-screenshot.ts";
import { useMe } from "../../../entities/session/session.tsx";
import { api } from "../../../platform/api.ts";
import { refusal } from "../../../platform/errors.ts";
import { forgetKeptState, useKeptState } from "../../../platform/kept-state.ts";
import { ActionError } from "../../../ui/action-error.tsx";
import { Banner } from "../../../ui/banner.tsx";
import { Button } from "../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../ui/panel.tsx";
import { Spinner } from "../../../ui/spinner.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import { ReferenceField, referenceProblem } from "../submit/reference-field.tsx";
import { ScreenshotField } from "../submit/screenshot-field.tsx";
import { useSubmission, type Order } from "../submit/use-submission.ts";

interface AgainFormProps {
  request: PaymentRequest;
  onSubmitted: (request: PaymentRequest) => void;
}

interface AgainOrder extends Order {
  id: string;
  reference: string;
}

/** Screenshot and reference as they were sent; either can be replaced, and nothing else is asked. */
export function AgainForm({ request, onSubmitted }: AgainFormProps): ReactNode {
  const { id, crypto_type } = request;
  const { max_upload_bytes } = useMe();
  const [file, setFile] = useKeptState<File | undefined>(`again ${id}: file`, undefined);
  const [fileError, setFileError] = useState<string>();
  const [reference, setReference] = useKeptState(`again ${id}: reference`, request.reference ?? "");
  const [isReferenceDone, setReferenceDone] = useState(false);
  const problem = crypto_type === null ? undefined : referenceProblem(crypto_type, reference);
  const referenceError = isReferenceDone ? problem : undefined;
  const referenceField = useRef<HTMLInputElement>(null);
  const changeFile = (chosen: File | undefined, refused?: string): void => {
    setFile(chosen);
    setFileError(refused);
  };
  const { isBusy, upload, error, offersHelp, clearError, submit } = useSubmission<AgainOrder>({
    order: { id, file, reference: reference.trim() },
    call: async (order, upload_id, headersFor) => {
      const body = {
        ...(crypto_type !== null && { reference: order.reference }),
        ...(upload_id === undefined ? {} : { upload_id }),
      };
      return api.paymentRequests.resubmit({ params: { id }, headers: headersFor(body), body });
    },
    onSubmitted: (stored) => {
      forgetKeptState();
      onSubmitted(stored);
    },
    onFileRefused: (refused) => changeFile(undefined, refused),
  });
  const send = (event: SubmitEvent): void => {
    event.preventDefault();
    setReferenceDone(true);
    if (problem !== undefined) {
      refusal("reference_invalid");
      return referenceField.current?.focus();
    }
    submit();
  };

  return (
    <Panel id="proof" tabIndex={-1} aria-label="Submit your payment">
      <PanelTitle>{crypto_type === null ? "Submit it again" : "Fix what was refused"}</PanelTitle>
      <form className="grid gap-5" onSubmit={send} noValidate>
        {crypto_type !== null && (
          <>
            <SentScreenshot id={id} isReplaced={file !== undefined} />
            <ScreenshotField
              label="Choose another screenshot"
              file={file}
              error={fileError}
              disabled={isBusy}
              maxBytes={max_upload_bytes["payment-screenshots"]}
              onChange={(chosen, refused) => {
                clearError();
                changeFile(chosen, refused);
              }}
            />
            <ReferenceField
              ref={referenceField}
              method={crypto_type}
              value={reference}
              error={referenceError}
              disabled={isBusy}
              onChange={(text) => {
                clearError();
                setReference(text);
                setReferenceDone(false);
              }}
              onLeave={() => setReferenceDone(true)}
            />
          </>
        )}
        {error !== undefined && (
          <Banner tone="loss" offersHelp={offersHelp}>
            {error}
          </Banner>
        )}
        <UploadProgress
          label="Uploading the screenshot"
          value={upload.progress}
          onTryNow={upload.tryNow}
          onCancel={upload.cancel}
        />
        <Button type="submit" size="large" disabled={isBusy}>
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

/** The screenshot that is there already, to be looked at. */
function SentScreenshot({ id, isReplaced }: { id: string; isReplaced: boolean }): ReactNode {
  const screenshot = useOpenScreenshot(id);
  return (
    <div className="text-small">
      <p>
        {isReplaced ? "The screenshot that you sent is replaced by this one." : "The screenshot that you sent is kept."}{" "}
        <Button variant="link" size="small" className="-mx-3" onClick={() => screenshot.mutate()}>
          Look at it<span className="sr-only">: the screenshot that you sent</span>
        </Button>
      </p>
      <ActionError error={screenshot.error} />
    </div>
  );
}
