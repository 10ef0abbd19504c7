import { useMutation, type UseMutationResult } from "@tanstack/react-query";
import { api } from "../../platform/api.ts";
import { openInNewTab } from "../../platform/new-tab.ts";

/** Opens a request's screenshot, or that of a further part, by a link made for this click, in a new tab. */
export function useOpenScreenshot(id: string, part?: string): UseMutationResult<void> {
  return useMutation({
    mutationFn: () => openInNewTab(() => api.paymentRequests.screenshot({ params: { id }, query: { part } })),
  });
}
