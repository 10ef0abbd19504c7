import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { Button } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

/** Copies a text and says so; `what` names it for those who hear the button. */
export function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
  const { outcome, copy } = useCopy(text);
  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <Button variant="secondary" size="compact" className="min-w-24 shrink-0" onClick={copy}>
      <Icon aria-hidden className="size-4" />
      <span aria-live="polite">{outcome === "copied" ? "Copied" : outcome === "failed" ? "Copy by hand" : "Copy"}</span>
      <span className="sr-only">{what}</span>
    </Button>
  );
}
