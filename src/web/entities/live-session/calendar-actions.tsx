import { CalendarPlus, Rss } from "lucide-react";
import { lazy, Suspense, useId, useState, type ReactNode } from "react";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { useLoaded } from "../../platform/part.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Button, buttonClass } from "../../ui/button.tsx";
import { CopyButton } from "../../ui/copy-button.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { useCalendarUrl, useRenewCalendarUrl } from "./queries.ts";

/** Loaded on first use: without it the dashboard needs no dialog. */
const loadDialog = async () => ({ default: (await import("../../ui/dialog.tsx")).ConfirmDialog });
const ConfirmDialog = lazy(loadDialog);

/** A file of the next occurrence, and the link to a calendar that follows every change (LIVESESSION-5). */
export function CalendarActions({ occurrence }: { occurrence: LiveOccurrence }): ReactNode {
  const { data: url, isPending, error, refetch } = useCalendarUrl();
  const [isOpen, setOpen] = useState(false);
  const id = useId();
  if (isPending) return <Skeleton className="h-11" />;
  if (url === undefined) return <LoadError error={error} fallback="unavailable" onRetry={() => void refetch()} isInPanel />;
  return (
    <div className="grid gap-4">
      <div className="flex flex-wrap gap-3">
        <a href={`${url}&occurrence=${occurrence.id}`} className={buttonClass("secondary")}>
          <CalendarPlus aria-hidden className="size-4" />
          Add to calendar
        </a>
        <Button variant="secondary" aria-expanded={isOpen} aria-controls={id} onClick={() => setOpen(!isOpen)}>
          <Rss aria-hidden className="size-4" />
          Subscribe
        </Button>
      </div>
      <div id={id} hidden={!isOpen}>
        <Subscription url={url} />
      </div>
    </div>
  );
}

function Subscription({ url }: { url: string }): ReactNode {
  const [isAsking, setAsking] = useState(false);
  const [failure, setFailure] = useState<Error | null>(null);
  const isLoaded = useLoaded(isAsking, loadDialog, (error) => {
    setAsking(false);
    setFailure(error);
  });
  const renewal = useRenewCalendarUrl(() => setAsking(false));
  return (
    <div className="grid gap-3 rounded-control bg-raised p-4 text-small">
      <p>
        A calendar that subscribes to this link follows every change. Keep the link to yourself: whoever has it sees when the
        live sessions are, but cannot join them.
      </p>
      <p className="font-figures wrap-anywhere">{url}</p>
      <div className="flex flex-wrap items-center gap-3">
        <a href={url.replace(/^https?:/, "webcal:")} className={buttonClass("primary", "compact")}>
          Open in calendar
        </a>
        <CopyButton text={url} what="the link to your calendar" />
        <Button
          variant="quiet"
          size="compact"
          data-student-only
          onClick={() => {
            setFailure(null);
            setAsking(true);
          }}
        >
          New link
        </Button>
      </div>
      <ActionError error={failure} />
      {isLoaded && (
        <Suspense>
          <ConfirmDialog
            open={isAsking}
            title="Make a new link"
            confirmLabel="Make a new link"
            isBusy={renewal.isPending}
            error={renewal.error ? messageOf(renewal.error, "unexpected") : undefined}
            offersHelp={isBeyondUser(renewal.error)}
            onConfirm={() => renewal.mutate()}
            onCancel={() => {
              renewal.reset();
              setAsking(false);
            }}
          >
            <p>The old link stops working, in every calendar that uses it. Subscribe again with the new one.</p>
          </ConfirmDialog>
        </Suspense>
      )}
    </div>
  );
}
