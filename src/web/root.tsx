import { useSyncExternalStore, type ReactNode } from "react";
import { Outlet, ScrollRestoration } from "react-router";

/** Around every route: what holds wherever one is. */
export function Root(): ReactNode {
  return (
    <>
      <OfflineNotice />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

function OfflineNotice(): ReactNode {
  const isOnline = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky top-0 z-40">
      {!isOnline && (
        <p className="border-b border-line bg-caution-soft px-4 py-2 text-center text-small text-caution">
          You are offline. Nothing is lost; this page goes on as soon as the connection is back.
        </p>
      )}
    </div>
  );
}

function watchNetwork(onChange: () => void): () => void {
  addEventListener("online", onChange);
  addEventListener("offline", onChange);
  return () => {
    removeEventListener("online", onChange);
    removeEventListener("offline", onChange);
  };
}
