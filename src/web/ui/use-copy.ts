import { useEffect, useState } from "react";

const feedbackMs = 2000;

type Outcome = "copied" | "failed";

/** Returns what copies a text, and how that went: for a moment when it was copied, a failure until the text changes or is copied. */
export function useCopy(text: string): { outcome: Outcome | undefined; copy: () => void } {
  const [last, setLast] = useState<{ text: string; outcome: Outcome }>();
  useEffect(() => {
    if (last?.outcome !== "copied") return;
    const timer = setTimeout(() => setLast(undefined), feedbackMs);
    return () => clearTimeout(timer);
  }, [last]);

  const write = async (): Promise<void> => {
    // A screen reader says a text again only where it has changed.
    setLast(undefined);
    // Where there is no clipboard the next line fails at once, before anything was displayed.
    await Promise.resolve();
    try {
      await navigator.clipboard.writeText(text);
      setLast({ text, outcome: "copied" });
    } catch (error) {
      console.error(error);
      setLast({ text, outcome: "failed" });
    }
  };
  return { outcome: last?.text === text ? last.outcome : undefined, copy: () => void write() };
}
