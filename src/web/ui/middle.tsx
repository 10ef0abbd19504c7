import { Check, Copy } from "lucide-react";
import type { ReactNode } from "react";
import { shortened } from "../platform/format.ts";
import { IconButton } from "./button.tsx";
import { useCopy } from "./use-copy.ts";

/** A long text, such as an address, with its middle left out, and a button that copies it whole; `what` names it for those who hear the button. */
export function Middle({ text, what }: { text: string; what: string }): ReactNode {
  const { outcome, copy } = useCopy(text);
  const Icon = outcome === "copied" ? Check : Copy;
  const said = outcome === "copied" ? "Copied" : outcome === "failed" ? "Copy by hand" : "";
  return (
    <span className="inline-flex max-w-full items-center gap-1">
      <span title={text} className="min-w-0 font-figures wrap-anywhere">
        {/* A text that was not copied must be readable whole. */}
        {outcome === "failed" ? text : shortened(text)}
      </span>
      <IconButton label={`Copy ${what}`} onClick={copy}>
        <Icon aria-hidden className="size-4" />
      </IconButton>
      <span role="status" className="sr-only">
        {said}
      </span>
    </span>
  );
}
