import type { ReactNode } from "react";
import type { StudentNotBegun } from "#domain/api/statistics";
import { mailtoOf } from "#domain/site-links";
import { notBegunAfterDays } from "#domain/watch/statistics";
import { day } from "../../../platform/format.ts";
import { Badge } from "../../../ui/badge.tsx";
import { DataTable, type Column } from "../../../ui/data-table.tsx";
import { Skeleton } from "../../../ui/skeleton.tsx";
import { EmptyLoadError } from "../empty-load-error.tsx";
import { ShowMore } from "../show-more.tsx";
import { useNotBegun } from "./queries.ts";

const columns: Column<StudentNotBegun>[] = [
  {
    name: "Student",
    isHeader: true,
    cell: ({ full_name, email }) => (
      <>
        <span className="block font-medium wrap-anywhere">{full_name}</span>
        <a
          href={mailtoOf(email)}
          className="inline-flex min-h-9 items-center text-small wrap-anywhere text-action underline-offset-4 hover:underline"
        >
          {email}
        </a>
      </>
    ),
  },
  { name: "Package", cell: (student) => <Badge className="capitalize">{student.subscription_status}</Badge> },
  { name: "Approved", cell: ({ approved_at }) => <time dateTime={approved_at}>{day(approved_at)}</time> },
  { name: "Days since", isFigure: true, cell: ({ days_since_approval }) => days_since_approval },
];

/** Students who paid and have not begun a lesson after a week (PATH-6). */
export function NotBegun(): ReactNode {
  const students = useNotBegun();
  return (
    <section aria-labelledby="not-begun">
      <h2 id="not-begun" className="text-lead font-semibold">
        Not begun
      </h2>
      <p className="mt-1 mb-4 text-small text-muted">
        Approved {notBegunAfterDays} days ago or more, and not one lesson opened. A short mail often helps.
      </p>
      {students.isPending ? (
        <Skeleton className="h-24" />
      ) : students.isLoadingError ? (
        <EmptyLoadError what="students" retry={() => void students.refetch()} />
      ) : students.data?.length === 0 ? (
        <p className="text-small">No such student at the moment.</p>
      ) : (
        <DataTable
          caption="Students who have not begun, newest approval first"
          columns={columns}
          rows={students.data ?? []}
          keyOf={({ id }) => id}
        />
      )}
      <ShowMore list={students} />
    </section>
  );
}
