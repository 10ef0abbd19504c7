import { ExternalLink } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payment-requests";
import { useOpenScreenshot } from "../../../../entities/payment-request/use-open-screenshot.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { Button } from "../../../../ui/button.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { useScreenshotUrl } from "./queries.ts";

/** The screenshot as large as the page has room for; it opens in full in a new tab. */
export function Screenshot({ request: { id, email } }: { request: ReviewedPaymentRequest }): ReactNode {
  const { mutate } = useOpenScreenshot(id);
  return (
    <Panel aria-labelledby="screenshot">
      <PanelTitle
        id="screenshot"
        aside={
          <Button
            variant="secondary"
            size="small"
            className="min-h-11"
            aria-label={`View screenshot of ${email}`}
            onClick={() => mutate(undefined, { onError: (error) => reportError(error, "unexpected") })}
          >
            Open in full
            <ExternalLink aria-hidden className="size-3.5" />
          </Button>
        }
      >
        Screenshot
      </PanelTitle>
      <Picture id={id} email={email} />
    </Panel>
  );
}

function Picture({ id, email }: { id: string; email: string }): ReactNode {
  const { data: url, isError } = useScreenshotUrl(id);
  const [isBroken, setIsBroken] = useState(false);
  if (isError || isBroken) return <p className="text-muted">It cannot be displayed here. Open it in full instead.</p>;
  if (url === undefined) return <Skeleton className="h-96" />;
  return (
    <img
      src={url}
      alt={`Screenshot of ${email}`}
      onError={() => setIsBroken(true)}
      className="mx-auto max-h-[80vh] rounded-control border border-line object-contain"
    />
  );
}
