import { useState, type ReactNode } from "react";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { Banner } from "../../../ui/banner.tsx";
import { methodChanges } from "../quote/quote-changes.ts";

/** What has changed while the page was open, for whoever was about to pay (GUARD-4). It stays while no method is known, so that the next one is compared. */
export function ChangedNotice({ method }: { method: QuotedMethod | undefined }): ReactNode {
  const [displayed, setDisplayed] = useState({ method, changes: [] as string[] });
  if (method && !displayed.method) setDisplayed({ method, changes: [] });
  const changes = method && displayed.method ? methodChanges(displayed.method, method) : [];
  if (changes.length > 0) setDisplayed({ method, changes });
  if (displayed.changes.length === 0) return null;
  return (
    <Banner tone="caution" title="The payment details have changed" className="my-2">
      {displayed.changes.join(" ")}
    </Banner>
  );
}
