import { useRef, type ReactNode } from "react";
import { Banner } from "./banner.tsx";
import { Button } from "./button.tsx";
import { Progress } from "./progress.tsx";

interface UploadProgressProps {
  label: string;
  /** From 0 to 1; undefined shows nothing. */
  value: number | undefined;
  /** There while the connection is gone. */
  onTryNow: (() => void) | undefined;
  onCancel: () => void;
}

/** A file on its way: how far it is, what holds it up, and the way back. */
export function UploadProgress({ label, value, onTryNow, onCancel }: UploadProgressProps): ReactNode {
  const cancel = useRef<HTMLButtonElement>(null);
  if (value === undefined) return null;
  return (
    <div className="grid gap-3">
      {onTryNow && (
        <Banner tone="caution" title="Connection lost">
          The upload goes on by itself when it is back.
        </Banner>
      )}
      <Progress label={onTryNow ? "Waiting for the connection" : label} value={value} />
      <div className="flex flex-wrap gap-3">
        <Button ref={cancel} variant="secondary" onClick={onCancel}>
          Cancel<span className="sr-only"> upload</span>
        </Button>
        {onTryNow && (
          <Button
            variant="secondary"
            onClick={() => {
              // This button goes away; the focus stays near.
              cancel.current?.focus();
              onTryNow();
            }}
          >
            Try now
          </Button>
        )}
      </div>
    </div>
  );
}
