import { useQuery } from "@tanstack/react-query";
import type { ComponentType, ReactNode } from "react";
import { packageBadges } from "#domain/packages";
import { texts } from "#domain/texts";
import { api } from "../../platform/api.ts";
import { messageOf } from "../../platform/errors.ts";
import { readAll } from "../../platform/pages.ts";
import { queryKeys } from "../../platform/query-client.ts";
import { useLogout, useMe } from "../../platform/session.tsx";
import { useTitle } from "../../platform/site.ts";
import { Badge } from "../../ui/badge.tsx";
import { Banner } from "../../ui/banner.tsx";
import { Button } from "../../ui/button.tsx";
import { Page } from "../../ui/page.tsx";
import { PageLoading } from "../../ui/spinner.tsx";
import { Lessons } from "./lessons.tsx";
import { Offers } from "./offers.tsx";
import { Welcome } from "./welcome.tsx";

interface StudentPageProps {
  /** How one's payments stand: above the lessons while there is something to wait for, else below. */
  Payments: ComponentType<{ place: "top" | "bottom" }>;
}

/** The course: what one may watch, what one may buy, and how one's payments stand. */
export function StudentPage({ Payments }: StudentPageProps): ReactNode {
  const me = useMe();
  const logout = useLogout();
  useTitle("My course");
  const videos = useQuery({
    queryKey: queryKeys.videos,
    queryFn: () => readAll((cursor) => api.videos.list({ limit: 100, cursor })),
  });

  if (videos.isPending) return <PageLoading text={texts.student.loading} />;
  const all = videos.data ?? [];
  const modules = [...new Set(all.map(({ module }) => module))];
  return (
    <Page
      title={
        <div className="order-last flex min-w-0 basis-full items-center justify-between gap-3 sm:order-none sm:basis-auto">
          <span className="max-w-48 truncate text-small text-muted">{me.full_name}</span>
          <Badge tone={me.subscription_status === "unpaid" ? "neutral" : "accent"}>
            {packageBadges[me.subscription_status]}
          </Badge>
        </div>
      }
      actions={
        <Button kind="secondary" size="small" className="min-h-11" onClick={() => void logout()}>
          {texts.student.logout}
        </Button>
      }
    >
      <div className="grid gap-10">
        <Welcome me={me} videoCount={videos.data?.length} moduleCount={videos.data && modules.length} />
        {videos.error && (
          <Banner tone="loss" title={messageOf(videos.error, "dashboard_load_failed")}>
            <Button kind="secondary" size="small" className="mt-2" onClick={() => void videos.refetch()}>
              Try again
            </Button>
          </Banner>
        )}
        <Payments place="top" />
        <Offers tier={me.subscription_status} />
        {videos.data && <Lessons videos={all} modules={modules} />}
        <Payments place="bottom" />
      </div>
    </Page>
  );
}
