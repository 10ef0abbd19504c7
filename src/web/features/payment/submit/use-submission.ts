import { useEffect, useEffectEvent, useRef, useState } from "react";
import type { PaymentRequest } from "#domain/api/payment-requests";
import { ProductError, type ErrorCode } from "#domain/messages";
import type { CryptoType } from "#domain/wallet-settings";
import { myRequestsOptions } from "../../../entities/payment-request/queries.ts";
import { api } from "../../../platform/api.ts";
import { isAbort, logError, messageOf } from "../../../platform/errors.ts";
import { queryClient } from "../../../platform/query-client.ts";
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
  submit: () => Promise<void>;
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
  const [isBusy, setBusy] = useState(false);
  const [error, setError] = useState<string>();
  const [unanswered, setUnanswered] = useState<Order>();
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

  const fail = (thrown: unknown, sent: Order): void => {
    if (isAbort(thrown)) return;
    logError(thrown);
    const code = thrown instanceof ProductError ? thrown.code : "unexpected";
    if (uploadIsGone.includes(code)) upload.forget();
    if (requestsAreStale.includes(code)) void queryClient.invalidateQueries({ queryKey: myRequestsOptions.queryKey });
    if (fileIsRefused.includes(code)) return onFileRefused(messageOf(thrown, "unexpected"));
    if (quoteEnded.includes(code)) onQuoteOver();
    if (code === "offline") setUnanswered(sent);
    setError(messageOf(thrown, code === "offline" ? "submit_unanswered" : "payment_submit_failed"));
  };

  const submit = async (): Promise<void> => {
    if (!order || isRunning.current) return;
    isRunning.current = true;
    setBusy(true);
    setError(undefined);
    setUnanswered(undefined);
    try {
      const request = await send(order);
      void queryClient.invalidateQueries({ queryKey: myRequestsOptions.queryKey });
      onSubmitted(request);
    } catch (thrown) {
      fail(thrown, order);
    } finally {
      isRunning.current = false;
      setBusy(false);
    }
  };

  const submitAgain = useEffectEvent(() => {
    if (isSame(unanswered, order)) void submit();
  });
  useEffect(() => {
    if (!unanswered) return;
    const again = (): void => submitAgain();
    addEventListener("online", again);
    return () => removeEventListener("online", again);
  }, [unanswered]);

  return { isBusy, upload, error, clearError: () => setError(undefined), submit };
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
