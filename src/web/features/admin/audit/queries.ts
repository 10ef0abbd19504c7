import { infiniteQueryOptions, keepPreviousData, useInfiniteQuery } from "@tanstack/react-query";
import * as z from "zod/mini";
import { auditActions } from "#domain/audit/sentences";
import { api } from "../../../platform/api.ts";
import { cursorPages } from "../../../platform/query/pages.ts";
import { choiceFilter, searchFilter } from "../list/use-list-filters.ts";

/** The filters of the list in its address. */
export const AuditFilters = z.object({
  search: searchFilter,
  action: choiceFilter(["all", ...auditActions], "all"),
  actor: searchFilter,
  subject: searchFilter,
  subject_type: searchFilter,
});
export type AuditFilters = z.infer<typeof AuditFilters>;

/** Returns the filters as the server takes them. */
export function auditQuery({ search, action, actor, subject, subject_type }: AuditFilters) {
  return {
    ...(search !== "" && { search }),
    ...(action !== "all" && { action }),
    ...(actor !== "" && { actor }),
    ...(subject !== "" && { subject }),
    ...(subject_type !== "" && { subject_type }),
  };
}

const auditOptions = (filters: AuditFilters) =>
  infiniteQueryOptions({
    queryKey: ["audit-log", filters],
    ...cursorPages((cursor) => api.audit.list({ ...auditQuery(filters), cursor })),
    placeholderData: keepPreviousData,
    meta: { staleAfter: ["audit-log"], reportAs: "dashboard_load_failed" },
  });

/** Returns the entries that the filters leave, newest first, a page at a time. */
export const useAuditLog = (filters: AuditFilters) => useInfiniteQuery(auditOptions(filters));
