import { useEffect, useRef, type ReactNode } from "react";
import { Outlet, ScrollRestoration, useLocation, useNavigate } from "react-router";
import { useRescuedFocus } from "./platform/keyboard/rescued-focus.ts";
import { useOnline } from "./platform/use-online.ts";
import { SkipLink } from "./skip-link.tsx";

/** Around every route: what holds wherever one is. */
export function Root(): ReactNode {
  useHeadingFocus();
  useRescuedFocus();
  useAnchors();
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

/**
 * Links to a part of the page lead there through the router. It takes what the browser does for them for a step back or forward, and scrolls
 * to where that entry once was.
 */
function useAnchors(): void {
  const navigate = useNavigate();
  useEffect(() => {
    const follow = (event: MouseEvent): void => {
      const link = event.target instanceof Element ? event.target.closest<HTMLAnchorElement>("a[href^='#']") : null;
      const isPlain = event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
      if (!link || !isPlain || event.defaultPrevented) return;
      event.preventDefault();
      const { hash } = link;
      void navigate({ search: location.search, hash }, { replace: hash === location.hash });
      const target = document.getElementById(hash.slice(1));
      if (!target) return;
      // As the browser does: the next Tab goes on from there.
      if (!target.hasAttribute("tabindex")) target.tabIndex = -1;
      target.focus({ preventScroll: true });
    };
    document.addEventListener("click", follow);
    return () => document.removeEventListener("click", follow);
  }, [navigate]);
}

function OfflineNotice(): ReactNode {
  const isOnline = useOnline();
  return (
    <div role="status" className="sticky top-0 z-40 print:hidden">
      {!isOnline && (
        <p
          data-offline
          className="grid min-h-(--notice) place-content-center border-b border-line bg-caution-soft px-4 py-1.5 text-center text-small text-caution"
        >
          You are offline. Nothing is lost; this page goes on as soon as the connection is back.
        </p>
      )}
    </div>
  );
}
