import { useMutation } from "@tanstack/react-query";
import { CircleCheckBig, Play, ReceiptText } from "lucide-react";
import { useEffect, useState, type ReactNode } from "react";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import type { Video } from "#domain/api/course/videos";
import { includesPackage, packages, type SubscriptionStatus } from "#domain/packages";
import type { Lesson, PathModule } from "#domain/watch/path";
import { api } from "../../platform/api.ts";
import { isBeyondUser, messageOf } from "../../platform/errors.ts";
import { useIsVisible } from "../../platform/timing/use-is-visible.ts";
import { Banner } from "../../ui/banner.tsx";
import { Button, ButtonLink } from "../../ui/button.tsx";
import { startLabel } from "./next-lesson.tsx";
import { usePlay } from "./queries.ts";

interface ApprovalProps {
  tier: SubscriptionStatus;
  /** Newest first. */
  requests: PaymentRequest[];
  path: PathModule<Video>[];
}

/** Celebrates an approval that its student has not seen, once; it stays until the page is left, it is closed, or it no longer holds (JOURNEY-4). */
export function Approval({ tier, requests, path }: ApprovalProps): ReactNode {
  // An approval that was undone, or whose package was taken away since, is none to celebrate.
  const held = requests.filter(({ status, package_type }) => status === "approved" && includesPackage(tier, package_type));
  const [celebratedId, setCelebratedId] = useState<string>();
  // By receipt, since an approval that is undone and given again is another one.
  const [closed, setClosed] = useState<ReadonlySet<string | null>>(new Set());
  // The celebration stays on the screen after the server has stored that it was seen; only a newer one takes its place.
  const celebrated = held.find(
    ({ id, receipt_number, approval_seen_at }) =>
      !closed.has(receipt_number) && (id === celebratedId || approval_seen_at === null),
  );
  if (!celebrated) return null;
  if (celebrated.id !== celebratedId) setCelebratedId(celebrated.id);
  const lesson = path.flatMap(({ lessons }) => lessons).find(({ video }) => video.playable);
  const { id, receipt_number } = celebrated;
  const close = (): void => setClosed((before) => new Set(before).add(receipt_number));
  return <Celebration key={id} request={celebrated} lesson={lesson} onClose={close} />;
}

interface CelebrationProps {
  request: PaymentRequest;
  lesson: Lesson<Video> | undefined;
  onClose: () => void;
}

function Celebration({ request, lesson, onClose }: CelebrationProps): ReactNode {
  const { id, package_type, receipt_number, approval_seen_at } = request;
  const film = usePlay(lesson?.video);
  const { mutate: markSeen } = useMutation({ mutationFn: () => api.paymentRequests.seeApproval({ params: { id } }) });
  const isVisible = useIsVisible();
  const isMarked = approval_seen_at !== null;
  // Not while the page is in the background, where nobody sees it.
  useEffect(() => {
    if (isVisible && !isMarked) markSeen();
  }, [isVisible, isMarked, markSeen]);
  return (
    <section
      aria-labelledby="approval"
      className="celebrate grid justify-items-center gap-4 rounded-panel border border-gain bg-gain-soft px-6 py-10 text-center"
    >
      <CircleCheckBig aria-hidden className="size-12 text-gain" strokeWidth={1.5} />
      <div role="status">
        <h2 id="approval" className="text-heading">
          {packages[package_type].name} is yours
        </h2>
        <p className="mt-2 text-muted">Your payment was approved, and every lesson of the package is open to you.</p>
      </div>
      <div className="flex flex-wrap justify-center gap-3">
        {lesson && (
          <Button size="large" disabled={film.isPending} onClick={() => film.mutate()}>
            <Play aria-hidden className="size-4" />
            {startLabel(lesson.number)}
            <span className="sr-only"> ({lesson.video.title})</span>
          </Button>
        )}
        <ButtonLink to={`/student/receipts/${id}`} variant="secondary" size="large">
          <ReceiptText aria-hidden className="size-4" />
          Receipt <span className="figures">{receipt_number}</span>
        </ButtonLink>
      </div>
      {film.error && (
        <Banner tone="loss" offersHelp={isBeyondUser(film.error)}>
          {messageOf(film.error, "unexpected")}
        </Banner>
      )}
      <Button variant="quiet" onClick={onClose}>
        Close
      </Button>
    </section>
  );
}
