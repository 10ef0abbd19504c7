import { useEffect, useState, type ReactNode } from "react";
import type { News } from "#domain/api/course/news";
import { paragraphsOf } from "#domain/texts/linked-text";
import { day } from "../../platform/format.ts";
import { useNextPage } from "../../platform/query/use-next-page.ts";
import { ActionError } from "../../ui/action-error.tsx";
import { Badge } from "../../ui/badge.tsx";
import { Button } from "../../ui/button.tsx";
import { LoadError } from "../../ui/load-error.tsx";
import { NewsText } from "./news-text.tsx";
import { useMarkRead, useNews } from "./queries.ts";

/** More would push the lessons off the screen; the others are below "All news". */
const maxOnTop = 3;

/** Returns the newest unread announcements, and all others. */
function splitNews(items: readonly News[]): { onTop: News[]; others: News[] } {
  const onTop = items.filter(({ unread }) => unread).slice(0, maxOnTop);
  return { onTop, others: items.filter((item) => !onTop.includes(item)) };
}

/** What is new to the student, high up on the dashboard (NEWS-3). Nothing where all is read. */
export function UnreadNews(): ReactNode {
  const { data = [], isFetching, isFetchNextPageError, fetchNextPage } = useNews();
  const { onTop } = splitNews(data);
  const reading = useMarkRead();
  const readsOn = onTop.length < maxOnTop && data.at(-1)?.older_unread === true && !isFetching && !isFetchNextPageError;
  useEffect(() => {
    if (readsOn) void fetchNextPage({ cancelRefetch: false });
  });
  if (onTop.length === 0) return null;
  return (
    <section aria-labelledby="news" className="grid gap-4">
      <h2 id="news" className="text-title">
        News
      </h2>
      {onTop.map((item) => (
        <Announcement
          key={item.id}
          news={item}
          className="rounded-control border border-l-4 border-line border-l-action bg-surface px-4 py-4 sm:px-5"
        >
          <Button
            variant="secondary"
            size="small"
            data-student-only
            disabled={reading.isPending && reading.variables === item.id}
            onClick={() => reading.mutate(item.id)}
          >
            Mark as read <span className="sr-only">{item.title}</span>
          </Button>
          {reading.variables === item.id && <ActionError error={reading.error} />}
        </Announcement>
      ))}
    </section>
  );
}

/** All other news on demand (NEWS-3), and whether the news could not be read. Nothing where there is no other. */
export function EarlierNews(): ReactNode {
  const news = useNews();
  const next = useNextPage(news);
  const [isOpen, setIsOpen] = useState(false);
  if (news.isLoadingError) {
    return <LoadError error={news.error} fallback="unavailable" onRetry={() => void news.refetch()} />;
  }
  const { others } = splitNews(news.data ?? []);
  if (others.length === 0) return null;
  return (
    <section aria-labelledby="earlier-news" className="grid gap-4">
      <div className="flex flex-wrap items-center justify-between gap-x-4">
        <h2 id="earlier-news" className="text-title">
          Earlier news
        </h2>
        <Button variant="quiet" aria-expanded={isOpen} aria-controls="all-news" onClick={() => setIsOpen(!isOpen)}>
          {isOpen ? "Hide earlier news" : "All news"}
        </Button>
      </div>
      <div id="all-news" className="grid divide-y divide-line empty:hidden">
        {isOpen &&
          others.map((item) => (
            <Announcement key={item.id} news={item} className="py-4">
              {item.unread && <Badge tone="accent">New</Badge>}
            </Announcement>
          ))}
        {isOpen && news.hasNextPage && (
          <Button variant="secondary" className="mt-4" disabled={next.isReading} onClick={next.read}>
            Show more
          </Button>
        )}
      </div>
    </section>
  );
}

interface AnnouncementProps {
  news: News;
  className: string;
  children: ReactNode;
}

/** One announcement; of a long one the first paragraph until the rest is asked for. */
function Announcement({ news, className, children }: AnnouncementProps): ReactNode {
  const { title, text, published_at, edited_at } = news;
  const [isWhole, setIsWhole] = useState(false);
  const isLong = paragraphsOf(text).length > 1;
  return (
    <article className={className} aria-label={title}>
      <div className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
        <h3 className="font-semibold wrap-anywhere">{title}</h3>
        <p className="figures text-small text-muted">
          <time dateTime={published_at}>{day(published_at)}</time>
          {edited_at !== null && ", edited"}
        </p>
      </div>
      <div className="mt-2 text-small">
        <NewsText text={text} isShort={!isWhole} />
      </div>
      <div className="mt-3 flex flex-wrap items-center gap-3 empty:hidden">
        {isLong && (
          <Button variant="link" size="small" className="-ml-3" aria-expanded={isWhole} onClick={() => setIsWhole(!isWhole)}>
            <span>{isWhole ? "Read less" : "Read on"}</span> <span className="sr-only">{title}</span>
          </Button>
        )}
        {children}
      </div>
    </article>
  );
}
