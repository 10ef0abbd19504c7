import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import { refreshMyRequests } from "../../../entities/payment-request/queries.ts";
import { refreshMe } from "../../../entities/session/session.tsx";
import { isAbort, isBeyondUser, logError, messageOf, productErrorOf } from "../../../platform/errors.ts";
import { useIdempotencyHeaders, type IdempotencyHeaders } from "../../../platform/idempotency.ts";
import { forgetKeptState } from "../../../platform/kept-state.ts";
import { useUpload, type FileUpload } from "../../../platform/uploads/use-upload.ts";

/** What the student sees and sends: plain values, compared one by one. */
export interface Order {
  /** Sent first; undefined where the request has its screenshot already, or needs none. */
  file: File | undefined;
}

export interface SubmissionOptions<Sent extends Order> {
  /** What is on the page now; undefined while it may not be sent. */
  order: Sent | undefined;
  /** Sends an order whose file has arrived. The headers have one key for as long as the body stays the same (PAY-3). */
  call: (
    order: Sent,
    uploadId: string | undefined,
    headersFor: (body: object) => IdempotencyHeaders,
  ) => Promise<PaymentRequest>;
  onSubmitted: (request: PaymentRequest) => void;
  onQuoteOver?: (code: ErrorCode) => void;
  /** The file is of no use; the text says why. */
  onFileRefused: (text: string) => void;
}

export interface Submission {
  isBusy: boolean;
  upload: Pick<FileUpload, "progress" | "tryNow" | "cancel">;
  error: string | undefined;
  /** Whether to display the contacts below the error. */
  offersHelp: boolean;
  clearError: () => void;
  submit: () => void;
}

const quoteEnded: ErrorCode[] = ["quote_expired", "quote_void", "quote_not_found"];
const fileIsRefused: ErrorCode[] = ["file_unreadable", "file_empty", "screenshot_type_invalid", "screenshot_too_large"];
/** The student's own requests are not what this page thought. */
const requestsAreStale: ErrorCode[] = [
  "payment_request_open",
  "package_owned",
  "payment_request_not_rejected",
  "payment_request_resubmitted",
  "payment_request_decided",
  "rest_not_asked",
  "rest_destination_changed",
  "quote_used",
  "upload_used",
  "offline",
];

/**
 * Uploads the screenshot and submits the request. What has been done is kept for the next try: the same file is not sent twice,
 * and the same order keeps its key, so that a lost answer never makes two requests (PAY-3).
 */
export function useSubmission<Sent extends Order>(options: SubmissionOptions<Sent>): Submission {
  const { order, call, onSubmitted, onQuoteOver, onFileRefused } = options;
  const upload = useUpload("payment-screenshots", { outlivesPage: false });
  const isRunning = useRef(false);
  const headersFor = useIdempotencyHeaders();
  const current = useRef(order);
  useEffect(() => {
    current.current = order;
  });

  const send = async (sent: Sent): Promise<PaymentRequest> => {
    const uploadId = sent.file && (await upload.send(sent.file));
    // Nobody submits what they have not seen: the page goes on while a file uploads.
    if (!isSame(sent, current.current)) throw new ProductError("payment_details_changed");
    return call(sent, uploadId, headersFor);
  };

  const submission = useMutation({
    mutationFn: send,
    onSuccess: (request) => {
      forgetKeptState();
      void refreshMyRequests();
      onSubmitted(request);
    },
    onError: (thrown) => {
      if (isAbort(thrown)) return;
      logError(thrown);
      const { code } = productErrorOf(thrown);
      upload.forgetIfGone(thrown);
      if (requestsAreStale.includes(code)) void refreshMyRequests();
      if (code === "package_owned") void refreshMe();
      if (fileIsRefused.includes(code)) onFileRefused(messageOf(thrown, "unexpected"));
      if (quoteEnded.includes(code)) onQuoteOver?.(code);
    },
    onSettled: () => {
      isRunning.current = false;
    },
  });
  const { mutate, isPending, error, variables, reset } = submission;

  const submit = (): void => {
    // A second click may come before the first is rendered.
    if (!order || isRunning.current) return;
    isRunning.current = true;
    mutate(order);
  };

  const code = error ? productErrorOf(error).code : undefined;
  const unanswered = code === "offline" ? variables : undefined;
  const submitAgain = useEffectEvent(() => {
    if (isSame(unanswered, order)) submit();
  });
  useEffect(() => {
    if (!unanswered) return;
    const again = (): void => submitAgain();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [unanswered]);

  return {
    isBusy: isPending,
    upload,
    error: errorText(error),
    offersHelp: error !== null && isBeyondUser(error),
    clearError: reset,
    submit,
  };
}

/** Returns the error to display above the button; none for a cancelled upload or an error displayed at the file. */
function errorText(error: Error | null): string | undefined {
  if (error === null || isAbort(error)) return undefined;
  const { code } = productErrorOf(error);
  if (fileIsRefused.includes(code)) return undefined;
  return messageOf(error, code === "offline" ? "submit_unanswered" : "payment_submit_failed");
}

function isSame<Sent extends Order>(one: Sent | undefined, other: Sent | undefined): boolean {
  if (one === undefined || other === undefined) return false;
  return (Object.keys({ ...one, ...other }) as (keyof Sent)[]).every((name) => one[name] === other[name]);
}
