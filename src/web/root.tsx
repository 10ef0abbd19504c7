import { useEffect, useRef, useSyncExternalStore, type ReactNode } from "react";
import { Outlet, ScrollRestoration, useLocation } from "react-router";
import { useRescuedFocus } from "./platform/keyboard/rescued-focus.ts";
import { SkipLink } from "./skip-link.tsx";

/** Around every route: what holds wherever one is. */
export function Root(): ReactNode {
  useHeadingFocus();
  useRescuedFocus();
  return (
    <>
      <SkipLink />
      <OfflineNotice />
      <Outlet />
      <ScrollRestoration />
    </>
  );
}

/** After a change of route the focus goes to the new page's heading, as it would go to the top of a new document. */
function useHeadingFocus(): void {
  const { pathname } = useLocation();
  const before = useRef(pathname);
  useEffect(() => {
    if (before.current === pathname) return;
    before.current = pathname;
    return whenHeadingAppears((heading) => {
      // What the page or the person has focused meanwhile stays.
      if (document.activeElement !== document.body) return;
      heading.tabIndex = -1;
      heading.focus({ preventScroll: true });
    });
  }, [pathname]);
}

/** Calls `act` once there is a heading, which may come after the data. Returns what cancels the waiting. */
function whenHeadingAppears(act: (heading: HTMLElement) => void): () => void {
  const look = (): boolean => {
    const heading = document.querySelector<HTMLElement>("h1");
    if (heading) act(heading);
    return heading !== null;
  };
  if (look()) return () => {};
  const watch = new MutationObserver(() => look() && watch.disconnect());
  watch.observe(document.body, { childList: true, subtree: true });
  return () => watch.disconnect();
}

function OfflineNotice(): ReactNode {
  const isOnline = useSyncExternalStore(
    watchNetwork,
    () => navigator.onLine,
    () => true,
  );
  return (
    <div role="status" className="sticky top-0 z-40 print:hidden">
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
