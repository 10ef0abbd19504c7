import { createContext, use, useEffect, useState, type ReactNode } from "react";
import type { EventTopic } from "#domain/api/events";
import { followEvents, type ConnectionState } from "./events.ts";
import { queryClient, queryKeys } from "./query-client.ts";

/** What a change makes stale: a new tier also changes which videos play. */
const staleAfter: Record<EventTopic, (readonly string[])[]> = {
  videos: [queryKeys.videos],
  profile: [queryKeys.me, queryKeys.videos, queryKeys.users, queryKeys.paymentRequests, queryKeys.upgradeOffer],
  "payment-requests": [queryKeys.paymentRequests, queryKeys.myRequests, queryKeys.receipts],
};

const ConnectionContext = createContext<ConnectionState>("connecting");

export const useConnection = (): ConnectionState => use(ConnectionContext);

/** Keeps what is shown below it true, without a reload. */
export function LiveUpdates({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<ConnectionState>("connecting");
  useEffect(() => {
    if (import.meta.env.MODE === "demo") return;
    const stop = new AbortController();
    void followEvents({
      signal: stop.signal,
      onState: setState,
      onTopic: (topic) => {
        for (const queryKey of staleAfter[topic]) void queryClient.invalidateQueries({ queryKey });
      },
    });
    return () => stop.abort();
  }, []);
  return (
    <ConnectionContext value={state}>
      {state === "lost" && <ConnectionLost />}
      {children}
    </ConnectionContext>
  );
}

function ConnectionLost(): ReactNode {
  return (
    <p
      role="status"
      className="border-b border-line bg-caution-soft px-4 py-2 text-center text-small text-caution print:hidden"
    >
      Connection lost. Reconnecting… What you see may be out of date.
    </p>
  );
}
