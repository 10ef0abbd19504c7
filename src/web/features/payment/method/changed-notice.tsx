import { useState, type ReactNode } from "react";
import type { QuotedMethod } from "#domain/payment-methods/methods";
import { Banner } from "../../../ui/banner.tsx";
import { methodChanges } from "../quote/quote-changes.ts";

/** What has changed while the page was open, for whoever was about to pay (GUARD-4). */
export function ChangedNotice({ method }: { method: QuotedMethod }): ReactNode {
  const [displayed, setDisplayed] = useState({ method, changes: [] as string[] });
  const changes = methodChanges(displayed.method, method);
  if (changes.length > 0) setDisplayed({ method, changes });
  if (displayed.changes.length === 0) return null;
  return (
    <Banner tone="caution" title="The payment details have changed" className="my-2">
      {displayed.changes.join(" ")}
    </Banner>
  );
}
