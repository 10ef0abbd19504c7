import type { ReactNode } from "react";
import { texts } from "#domain/texts/texts";
import { Button } from "../../../ui/button.tsx";
import { FormError } from "../../../ui/form-error.tsx";
import { UploadProgress } from "../../../ui/upload-progress.tsx";
import type { Submission } from "./use-submission.ts";

interface FormEndProps {
  submission: Submission;
  /** Whether something is missing that the form displays itself. */
  isIncomplete?: boolean;
  /** The button's. */
  label?: string;
}

/** The end of every form that submits a payment request: why the last try failed, how far the upload is, and the button. */
export function FormEnd({ submission, isIncomplete = false, label = texts.payment.submit }: FormEndProps): ReactNode {
  const { isBusy, upload } = submission;
  return (
    <>
      <FormError form={submission} />
      <UploadProgress
        label="Uploading the screenshot"
        value={upload.progress}
        onTryNow={upload.tryNow}
        onCancel={upload.cancel}
      />
      <Button type="submit" size="large" isBusy={isBusy} disabled={isIncomplete}>
        {isBusy ? "Submitting..." : label}
      </Button>
      <p role="status" className="sr-only">
        {isBusy ? "Submitting your payment request" : ""}
      </p>
    </>
  );
}
