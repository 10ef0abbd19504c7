import { useEffect, useState, type ReactNode } from "react";
import { invalidateAfter } from "../query/query-client.ts";
import { followEvents, type ConnectionState } from "./events.ts";

/** Refetches what the server's events make stale, and says above `children` when the connection is lost. */
export function LiveUpdates({ children }: { children: ReactNode }): ReactNode {
  const [state, setState] = useState<ConnectionState>("connecting");
  useEffect(() => {
    if (import.meta.env.MODE === "demo") return;
    const stop = new AbortController();
    void followEvents({ signal: stop.signal, onState: setState, onTopic: invalidateAfter });
    return () => stop.abort();
  }, []);
  return (
    <>
      {state === "lost" && <ConnectionLost />}
      {children}
    </>
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
