import { useEffect, useState } from "react";

const feedbackMs = 2000;

/** Returns what copies a text, and for a moment afterwards how that went. */
export function useCopy(text: string): { outcome: "copied" | "failed" | undefined; copy: () => void } {
  const [outcome, setOutcome] = useState<"copied" | "failed">();
  useEffect(() => {
    if (outcome === undefined) return;
    const timer = setTimeout(() => setOutcome(undefined), feedbackMs);
    return () => clearTimeout(timer);
  }, [outcome]);

  const write = async (): Promise<void> => {
    try {
      await navigator.clipboard.writeText(text);
      setOutcome("copied");
    } catch (error) {
      console.error(error);
      setOutcome("failed");
    }
  };
  return { outcome, copy: () => void write() };
}
