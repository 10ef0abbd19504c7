import type { ReactNode } from "react";
import { isBeyondUser, messageOf } from "../platform/errors.ts";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";

interface LoadErrorProps {
  error: Error | null;
  /** The text for an error that explains nothing. */
  fallback: Parameters<typeof messageOf>[1];
  onRetry: () => void;
  /** Below the title of a panel: the text is not bold. */
  isInPanel?: boolean;
}

/** What could not be loaded, with the button that asks for it again; with the contacts when the user cannot fix it (CONTACT-1). */
export function LoadError({ error, fallback, onRetry, isInPanel = false }: LoadErrorProps): ReactNode {
  if (!error) return null;
  const text = messageOf(error, fallback);
  return (
    <Banner tone="loss" offersHelp={isBeyondUser(error)} {...(!isInPanel && { title: text })}>
      {isInPanel && <p>{text}</p>}
      <Button variant="secondary" size="compact" className="mt-2" onClick={onRetry}>
        Try again
      </Button>
    </Banner>
  );
}
