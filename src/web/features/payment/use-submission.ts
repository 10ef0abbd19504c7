import { useRef, useState } from "react";
import { ProductError } from "#domain/messages";
import type { CryptoType } from "#domain/wallet-settings";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { queryClient, queryKeys } from "../../platform/query-client.ts";
import { uploadScreenshot } from "../../platform/uploads.ts";

export interface Order {
  quoteId: string;
  method: CryptoType;
  file: File;
  reference: string;
}

export interface Submission {
  isBusy: boolean;
  /** From 0 to 1 while the screenshot is on its way; undefined before and after. */
  progress: number | undefined;
  error: string | undefined;
  setError: (text: string | undefined) => void;
  submit: (order: Order) => Promise<void>;
}

const quoteIsOver = new Set(["quote_expired", "quote_not_found"]);

/**
 * Uploads the screenshot and submits the request. What has been done is kept for the next try: the same file is not sent twice,
 * and the same order keeps its key, so that a lost answer never makes two requests (decisions 9).
 */
export function useSubmission(onSubmitted: () => void, onQuoteOver: () => void): Submission {
  const [isBusy, setBusy] = useState(false);
  const [progress, setProgress] = useState<number>();
  const [error, setError] = useState<string>();
  const uploaded = useRef<{ file: File; id: string }>(undefined);
  const attempt = useRef<{ order: string; key: string }>(undefined);

  const uploadOnce = async (file: File): Promise<string> => {
    if (uploaded.current?.file === file) return uploaded.current.id;
    setProgress(0);
    const id = await uploadScreenshot(file, { onProgress: setProgress, signal: new AbortController().signal });
    uploaded.current = { file, id };
    return id;
  };

  const keyOf = (order: string): string => {
    if (attempt.current?.order !== order) attempt.current = { order, key: crypto.randomUUID() };
    return attempt.current.key;
  };

  const submit = async ({ quoteId, method, file, reference }: Order): Promise<void> => {
    setBusy(true);
    setError(undefined);
    try {
      const upload_id = await uploadOnce(file);
      setProgress(undefined);
      const body = {
        quote_id: quoteId,
        crypto_type: method,
        upload_id,
        consent: true as const,
        ...(reference.trim() === "" ? {} : { reference: reference.trim() }),
      };
      await api.paymentRequests.submit({ headers: { "idempotency-key": keyOf(JSON.stringify(body)) }, body });
      void queryClient.invalidateQueries({ queryKey: queryKeys.myRequests });
      onSubmitted();
    } catch (thrown) {
      const code = thrown instanceof ProductError ? thrown.code : undefined;
      if (code === "upload_not_found" || code === "upload_used") uploaded.current = undefined;
      if (code !== undefined && quoteIsOver.has(code)) onQuoteOver();
      setError(messageOf(thrown, "payment_submit_failed"));
    } finally {
      setProgress(undefined);
      setBusy(false);
    }
  };
  return { isBusy, progress, error, setError, submit };
}
