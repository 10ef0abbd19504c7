import { useMutation } from "@tanstack/react-query";
import { useEffect, useEffectEvent, useRef } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { ProductError, type ErrorCode } from "#domain/errors/messages";
import type { CryptoType } from "#domain/payment-methods/methods";
import { myRequestsOptions } from "../../../entities/payment-request/queries.ts";
import { api } from "../../../platform/api.ts";
import { isAbort, logError, messageOf, productErrorOf } from "../../../platform/errors.ts";
import { queryClient } from "../../../platform/query/query-client.ts";
import { useUpload, type FileUpload } from "../../../platform/uploads/use-upload.ts";

/** What the student sees and sends. */
export interface Order {
  quoteId: string;
  method: CryptoType;
  /** The earlier quote by whose figures the student says they have paid. */
  paidQuoteId: string | undefined;
  file: File;
  reference: string;
}

interface SubmissionOptions {
  /** What is on the page now; undefined while it may not be sent. */
  order: Order | undefined;
  onSubmitted: (request: PaymentRequest) => void;
  onQuoteOver: () => void;
  /** The file is of no use; the text says why. */
  onFileRefused: (text: string) => void;
}

export interface Submission {
  isBusy: boolean;
  upload: Pick<FileUpload, "progress" | "tryNow" | "cancel">;
  error: string | undefined;
  clearError: () => void;
  submit: () => void;
}

const quoteEnded: ErrorCode[] = ["quote_expired", "quote_not_found"];
const uploadIsGone: ErrorCode[] = ["upload_not_found", "upload_used"];
const fileIsRefused: ErrorCode[] = ["file_unreadable", "file_empty", "screenshot_type_invalid", "screenshot_too_large"];
/** The student's own requests are not what this page thought. */
const requestsAreStale: ErrorCode[] = ["payment_request_open", "quote_used", "upload_used", "offline"];

/**
 * Uploads the screenshot and submits the request. What has been done is kept for the next try: the same file is not sent twice,
 * and the same order keeps its key, so that a lost answer never makes two requests (PAY-3).
 */
export function useSubmission({ order, onSubmitted, onQuoteOver, onFileRefused }: SubmissionOptions): Submission {
  const upload = useUpload("payment-screenshots", { outlivesPage: false });
  const isRunning = useRef(false);
  const attempt = useRef<{ order: string; key: string }>(undefined);
  const current = useRef(order);
  useEffect(() => {
    current.current = order;
  });

  const keyOf = (body: string): string => {
    if (attempt.current?.order !== body) attempt.current = { order: body, key: crypto.randomUUID() };
    return attempt.current.key;
  };

  const send = async (sent: Order): Promise<PaymentRequest> => {
    const upload_id = await upload.send(sent.file);
    // Nobody submits what they have not seen: the page goes on while a file uploads.
    if (!isSame(sent, current.current)) throw new ProductError("payment_details_changed");
    const body = {
      quote_id: sent.quoteId,
      crypto_type: sent.method,
      upload_id,
      consent: true as const,
      ...(sent.reference.trim() === "" ? {} : { reference: sent.reference.trim() }),
      ...(sent.paidQuoteId === undefined ? {} : { paid_quote_id: sent.paidQuoteId }),
    };
    return api.paymentRequests.submit({ headers: { "idempotency-key": keyOf(JSON.stringify(body)) }, body });
  };

  const refreshMyRequests = (): void => {
    void queryClient.invalidateQueries({ queryKey: myRequestsOptions.queryKey });
  };

  const submission = useMutation({
    mutationFn: send,
    onSuccess: (request) => {
      refreshMyRequests();
      onSubmitted(request);
    },
    onError: (thrown) => {
      if (isAbort(thrown)) return;
      logError(thrown);
      const { code } = productErrorOf(thrown);
      if (uploadIsGone.includes(code)) upload.forget();
      if (requestsAreStale.includes(code)) refreshMyRequests();
      if (fileIsRefused.includes(code)) onFileRefused(messageOf(thrown, "unexpected"));
      if (quoteEnded.includes(code)) onQuoteOver();
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

  return { isBusy: isPending, upload, error: errorText(error), clearError: reset, submit };
}

/** Returns the error to display above the button; none for a cancelled upload or an error displayed at the file. */
function errorText(error: Error | null): string | undefined {
  if (error === null || isAbort(error)) return undefined;
  const { code } = productErrorOf(error);
  if (fileIsRefused.includes(code)) return undefined;
  return messageOf(error, code === "offline" ? "submit_unanswered" : "payment_submit_failed");
}

function isSame(one: Order | undefined, other: Order | undefined): boolean {
  return (
    one !== undefined &&
    one.quoteId === other?.quoteId &&
    one.method === other.method &&
    one.paidQuoteId === other.paidQuoteId &&
    one.file === other.file &&
    one.reference === other.reference
  );
}
