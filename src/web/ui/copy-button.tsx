import { Check, Copy } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import { Button } from "./button.tsx";

const feedbackMs = 2000;

/** Copies a text and says so; `what` names it for those who hear the button. */
export function CopyButton({ text, what }: { text: string; what: string }): ReactNode {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), feedbackMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const copy = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch (error) {
      console.error(error);
      setOutcome("failed");
    }
  };
  const Icon = outcome === "copied" ? Check : Copy;
  return (
    <Button variant="secondary" size="small" className="min-w-24 shrink-0" onClick={() => void copy()}>
      <Icon aria-hidden className="size-4" />
      <span aria-live="polite">{outcome === "copied" ? "Copied" : outcome === "failed" ? "Copy by hand" : "Copy"}</span>
      <span className="sr-only">{what}</span>
    </Button>
  );
}
