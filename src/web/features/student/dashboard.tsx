import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { paymentPage } from "#domain/accounts/next-page";
import type { Me } from "#domain/api/account";
import type { Video } from "#domain/api/course/videos";
import type { PaymentRequest } from "#domain/api/payments/payment-requests";
import { packageBadges } from "#domain/packages";
import { pathOf } from "#domain/watch/path";
import { isSettled, openRequest, purchaseOf } from "../../entities/payment-request/next-step.ts";
import { LiveSessions } from "../../entities/live-session/live-sessions.tsx";
import { useComingOccurrences, useRecordedOccurrences } from "../../entities/live-session/queries.ts";
import { RejectionBanner, SubmitAgainLabel } from "../../entities/payment-request/rejection-banner.tsx";
import { RestBanner } from "../../entities/payment-request/rest-banner.tsx";
import { EarlierNews, UnreadNews } from "../../entities/news/news-section.tsx";
import { useVideos } from "../../entities/video/queries.ts";
import { useMe } from "../../entities/session/session.tsx";
import { useAreRead } from "../../platform/query/use-are-read.ts";
import { Badge } from "../../ui/badge.tsx";
import { ButtonLink } from "../../ui/button.tsx";
import { cx } from "../../ui/cx.ts";
import { LoadError } from "../../ui/load-error.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";
import { Approval } from "./approval.tsx";
import { DashboardFrame, DashboardLoading } from "./frame.tsx";
import { Lessons } from "./lessons.tsx";
import { NextLesson } from "./next-lesson.tsx";
import { Offers } from "./offers.tsx";
import { Welcome } from "./welcome.tsx";

interface DashboardProps {
  /** The student's payment requests; undefined while they are read, or when they could not be. */
  requests: PaymentRequest[] | undefined;
  hasRequestsError?: boolean;
  /** The list of them. */
  myRequests?: ReactNode;
  /** Above everything else. */
  banner?: ReactNode;
}

/** The course: its lessons, the packages on sale, and the student's payments. */
export function Dashboard({ banner, ...rest }: DashboardProps): ReactNode {
  const me = useMe();
  const videos = useVideos();
  return (
    <DashboardFrame
      name={me.full_name}
      badge={
        <Badge tone={me.subscription_status === "unpaid" ? "neutral" : "accent"}>{packageBadges[me.subscription_status]}</Badge>
      }
    >
      {banner}
      {videos.isPending ? <DashboardLoading name={me.full_name} /> : <Course me={me} videos={videos} {...rest} />}
    </DashboardFrame>
  );
}

interface CourseProps extends Omit<DashboardProps, "banner"> {
  me: Me;
  videos: UseQueryResult<Video[]>;
}

function Course({ me, videos, requests, hasRequestsError = false, myRequests }: CourseProps): ReactNode {
  const path = pathOf(videos.data ?? []);
  const isRead = useAreRead([
    useComingOccurrences(),
    useRecordedOccurrences(),
    { isPending: requests === undefined, failureCount: Number(hasRequestsError) },
  ]);
  const nextLesson = <NextLesson path={path} />;
  // Payments stand above the lessons until nothing is left to wait for or to do. Unread ones stay there too: to move them is to read them again.
  const arePaymentsOpen = requests === undefined || !isSettled(requests, me.subscription_status);
  const open = requests && openRequest(requests, me.subscription_status);
  const hasAskedForAdvanced = purchaseOf(requests ?? [], me.subscription_status, "advanced").step !== "buy";
  const offers =
    requests || hasRequestsError ? (
      <Offers tier={me.subscription_status} requests={requests ?? []} />
    ) : (
      <Skeleton className="h-80" />
    );
  // Who has nothing yet chooses a package first; who has one goes on with the course.
  const isUnpaid = me.subscription_status === "unpaid";
  return (
    <>
      {open?.rest && <RestBanner request={open} />}
      {open?.status === "rejected" && (
        <RejectionBanner
          request={open}
          action={
            <ButtonLink to={paymentPage(open.package_type)}>
              <SubmitAgainLabel request={open} />
            </ButtonLink>
          }
        />
      )}
      <Approval tier={me.subscription_status} requests={requests ?? []} path={path} />
      <Welcome me={me} open={open} videos={videos.data} moduleCount={videos.data && path.length}>
        {!isUnpaid && nextLesson}
      </Welcome>
      <UnreadNews />
      <LoadError error={videos.error} fallback="dashboard_load_failed" onRetry={() => void videos.refetch()} />
      {arePaymentsOpen && myRequests}
      {isUnpaid && offers}
      {isUnpaid && nextLesson}
      {/* Payments and live sessions would push down what stands below them. The gaps are those of the frame. */}
      <div className={cx("grid grid-cols-1 gap-10", !isRead && "invisible")}>
        <LiveSessions hasAskedForAdvanced={hasAskedForAdvanced} />
        <EarlierNews />
        {videos.data && <Lessons path={path} requests={requests ?? []} />}
        {!isUnpaid && offers}
        {!arePaymentsOpen && myRequests}
      </div>
    </>
  );
}
