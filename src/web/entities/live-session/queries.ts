import { queryOptions, useMutation, useQuery, type UseMutationResult, type UseQueryResult } from "@tanstack/react-query";
import type { LiveOccurrence } from "#domain/api/course/live-sessions";
import type { SubscriptionStatus } from "#domain/packages";
import { api } from "../../platform/api.ts";
import { openInNewTab } from "../../platform/new-tab.ts";
import { replaceData } from "../../platform/query/replace-data.ts";
import { clockOffset } from "../../platform/timing/use-clock-set.ts";
import { usePreviewTier } from "../session/preview.tsx";

/** As many as the dashboard shows. */
const shown = { coming: 6, recorded: 6 };

/** The first part of the key of every query about live sessions. */
export const liveSessionsKey = ["live-sessions"];

export interface Occurrences {
  items: LiveOccurrence[];
  /** Whether there are more. */
  hasMore: boolean;
  /** How far this browser's clock is ahead of the server's, in milliseconds; negative where it is behind. */
  clockLead: number;
  /** The `clockOffset` that the lead was measured at. */
  offset: number;
}

/** Reads on while all of them are cancelled, so that the next one that takes place is there. */
async function fetchOccurrences(when: "coming" | "recorded", tier: SubscriptionStatus | undefined): Promise<Occurrences> {
  const items: LiveOccurrence[] = [];
  let cursor: string | undefined;
  let clockLead: number;
  let offset: number;
  do {
    const page = await api.liveSessions.occurrences({ when, limit: shown[when], cursor, as: tier });
    items.push(...page.items);
    clockLead = Date.now() - Date.parse(page.now);
    offset = clockOffset();
    cursor = page.next_cursor ?? undefined;
  } while (cursor !== undefined && items.every(({ cancelled }) => cancelled));
  return { items, hasMore: cursor !== undefined, clockLead, offset };
}

export const occurrencesOptions = (when: "coming" | "recorded", tier?: SubscriptionStatus) =>
  queryOptions({
    queryKey: [...liveSessionsKey, when, ...(tier === undefined ? [] : [tier])],
    queryFn: () => fetchOccurrences(when, tier),
    meta: { staleAfter: when === "coming" ? ["live-sessions", "profile"] : ["live-sessions", "profile", "videos"] },
  });

/** Returns the next occurrences, those that have begun included. */
export function useComingOccurrences(): UseQueryResult<Occurrences> {
  return useQuery(occurrencesOptions("coming", usePreviewTier()));
}

/** Returns the newest past occurrences that have a recording. */
export function useRecordedOccurrences(): UseQueryResult<Occurrences> {
  return useQuery(occurrencesOptions("recorded", usePreviewTier()));
}

/** Opens the meeting in a new tab; the server returns its link only while it is open (LIVESESSION-3). */
export function useJoin(id: string): UseMutationResult<void> {
  return useMutation({ mutationFn: () => openInNewTab(() => api.liveSessions.join({ params: { id } })) });
}

async function fetchCalendarUrl(): Promise<string> {
  const { url } = await api.liveSessions.calendarLink();
  return url;
}

const calendarUrlOptions = queryOptions({ queryKey: [...liveSessionsKey, "calendar"], queryFn: fetchCalendarUrl });

/** Returns the address of the student's calendar. */
export function useCalendarUrl(): UseQueryResult<string> {
  return useQuery(calendarUrlOptions);
}

/** Makes a new address of the student's calendar, which ends the old one. */
export function useRenewCalendarUrl(onSuccess: () => void): UseMutationResult<{ url: string }, Error, void> {
  return useMutation({
    mutationFn: () => api.liveSessions.renewCalendarLink(),
    onSuccess: ({ url }) => {
      replaceData<string>(calendarUrlOptions, () => url);
      onSuccess();
    },
  });
}
