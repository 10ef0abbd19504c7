import { ExternalLink, Maximize2 } from "lucide-react";
import { useQuery } from "@tanstack/react-query";
import { useState, type ReactNode } from "react";
import type { ReviewedPaymentRequest } from "#domain/api/payments/payment-requests";
import { useOpenScreenshot } from "../../../../entities/payment-request/use-open-screenshot.ts";
import { reportError } from "../../../../platform/query/reported-error.ts";
import { useShortcuts } from "../../../../platform/keyboard/shortcuts.ts";
import { Button } from "../../../../ui/button.tsx";
import { FilterChoice } from "../../list/filter-bar.tsx";
import { KeyHint } from "../../../../ui/key-hint.tsx";
import { Panel, PanelTitle } from "../../../../ui/panel.tsx";
import { Sheet } from "../../../../ui/sheet.tsx";
import { Skeleton } from "../../../../ui/skeleton.tsx";
import { ZoomablePicture } from "../../../../ui/zoomable-picture.tsx";
import { pictureOptions } from "./queries.ts";

/** The first screenshot has no part. */
const firstPart = "first";

/** The screenshots of a payment, one at a time: large, larger in a dialog, or in a new tab. */
export function Screenshot({ request }: { request: ReviewedPaymentRequest }): ReactNode {
  const { id, email, parts } = request;
  const [chosen, setChosen] = useState(firstPart);
  const part = parts.find((one) => one.id === chosen)?.id;
  const { mutate } = useOpenScreenshot(id, part);
  return (
    <Panel aria-labelledby="screenshot">
      <PanelTitle
        id="screenshot"
        aside={
          <Button
            variant="secondary"
            size="small"
            aria-label={`View screenshot of ${email}`}
            onClick={() => mutate(undefined, { onError: (error) => reportError(error, "unexpected") })}
          >
            New tab
            <ExternalLink aria-hidden className="size-3.5" />
          </Button>
        }
      >
        Screenshot
      </PanelTitle>
      {parts.length > 0 && (
        <div className="mb-3">
          <FilterChoice
            label="Which screenshot"
            value={part ?? firstPart}
            options={[
              { value: firstPart, label: "First" },
              ...parts.map((one, index) => ({ value: one.id, label: `Rest ${index + 1}` })),
            ]}
            onChange={setChosen}
          />
        </div>
      )}
      <Picture key={part} id={id} part={part} alt={`Screenshot of ${email}`} />
    </Panel>
  );
}

function Picture({ id, part, alt }: { id: string; part: string | undefined; alt: string }): ReactNode {
  const { data: picture, isError } = useQuery(pictureOptions(id, part));
  const [isBroken, setBroken] = useState(false);
  const [isLarge, setLarge] = useState(false);
  useShortcuts({ o: picture && (() => setLarge(true)) });
  if (isError || isBroken) return <p className="text-muted">It cannot be displayed here. Open it in a new tab instead.</p>;
  if (picture === undefined) return <Skeleton className="h-[60vh]" />;
  const { url, ...size } = picture;
  return (
    <>
      <ZoomablePicture src={url} size={size} alt={alt} onError={() => setBroken(true)}>
        <Button variant="quiet" size="small" className="ml-auto" aria-keyshortcuts="o" onClick={() => setLarge(true)}>
          <Maximize2 aria-hidden className="size-4.5" />
          Full size
          <KeyHint>o</KeyHint>
        </Button>
      </ZoomablePicture>
      <Sheet open={isLarge} title={alt} isFull onClose={() => setLarge(false)}>
        <ZoomablePicture src={url} size={size} alt={alt} isFull />
      </Sheet>
    </>
  );
}
