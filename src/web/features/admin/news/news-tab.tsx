import { Plus } from "lucide-react";
import { useState, type ReactNode } from "react";
import type { News } from "#domain/api/course/news";
import { audienceNames } from "#domain/news";
import { newsOptions, useNews } from "../../../entities/news/queries.ts";
import { api } from "../../../platform/api.ts";
import { counted, dateTime } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { Button } from "../../../ui/button.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { Empty } from "../../../ui/panel.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { DeleteDialog } from "../delete-dialog.tsx";
import { EditButtons } from "../edit-buttons.tsx";
import { useEditedRow } from "../editing/use-edited-row.ts";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { ShowMore } from "../show-more.tsx";
import { NewsForm } from "./news-form.tsx";

const columnsFor = (edit: (news: News) => void, remove: (news: News) => void): Column<News>[] => [
  {
    name: "News",
    isHeader: true,
    cell: (news) => (
      <>
        <span className="block font-medium wrap-anywhere">{news.title}</span>
        <span className="line-clamp-2 max-w-[60ch] text-small wrap-anywhere text-muted">{news.text}</span>
      </>
    ),
  },
  { name: "For", cell: (news) => <Badge>{audienceNames[news.audience]}</Badge> },
  {
    name: "Published",
    cell: ({ published_at, edited_at }) => (
      <span className="figures text-small">
        <time dateTime={published_at} className="block">
          {dateTime(published_at)}
        </time>
        {edited_at !== null && (
          <span className="text-muted">
            Edited <time dateTime={edited_at}>{dateTime(edited_at)}</time>
          </span>
        )}
      </span>
    ),
  },
  { name: "Mail", cell: ({ mailing }) => <span className="figures text-small">{mailingText(mailing)}</span> },
  {
    name: "Change",
    cell: (news) => (
      <div className="flex justify-end lg:justify-start">
        <EditButtons name={news.title} onEdit={() => edit(news)} onDelete={() => remove(news)} />
      </div>
    ),
  },
];

/** The announcements: write, edit, delete (NEWS-1). */
export function NewsTab(): ReactNode {
  const news = useNews();
  const { edited, key, edit, made, close, forget } = useEditedRow<News>("news");
  const [deleting, setDeleting] = useState<News>();
  const rows = news.data ?? [];
  return (
    <div className="grid gap-6">
      {edited === undefined ? (
        <Button className="w-full sm:w-fit" onClick={() => edit("new")}>
          <Plus aria-hidden className="size-4" />
          Write news
        </Button>
      ) : (
        <NewsForm key={key} news={edited === "new" ? undefined : edited} onMade={made} onClose={close} />
      )}
      {news.isPending ? (
        <Skeleton className="h-48" />
      ) : news.isLoadingError ? (
        <EmptyLoadError what="news" retry={() => void news.refetch()} />
      ) : rows.length === 0 ? (
        <Empty title="No news yet">What you publish appears on the dashboards of your students at once.</Empty>
      ) : (
        <div>
          <DataTable caption="News, newest first" columns={columnsFor(edit, setDeleting)} rows={rows} keyOf={({ id }) => id} />
          <ShowMore list={news} />
        </div>
      )}
      <DeleteDialog
        row={deleting}
        title="Delete news"
        remove={async ({ id }) => {
          await api.news.remove({ params: { id } });
          forget([id]);
        }}
        queryKey={newsOptions.queryKey}
        onClose={() => setDeleting(undefined)}
      >
        <p className="font-medium wrap-anywhere text-ink">{deleting?.title}</p>
        <p>
          It disappears from every dashboard.
          {deleting?.mailing && " Mails that were not sent yet are dropped; those that were sent stay with the students."}
        </p>
      </DeleteDialog>
    </div>
  );
}

function mailingText(mailing: News["mailing"]): string {
  if (mailing === null) return "Not mailed";
  const mails = counted(mailing.mails, "mail");
  return mailing.finished_at === null ? `Being mailed: ${mails} so far` : `Mailed: ${mails}`;
}
