import { CSPProvider } from "@base-ui/react/csp-provider";
import { StrictMode, type ReactElement } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes } from "react-router";
// The one of "react-router" ignores `flushSync`.
import { RouterProvider } from "react-router/dom";
import { tolerateTranslation } from "./platform/browsers/translated-page.ts";
import { routes } from "./router.tsx";

type Router = ReturnType<typeof createBrowserRouter>;

/** No `await` of the module itself: chunks of routes import this one's chunk, and would wait for it. */
async function start(root: HTMLElement): Promise<void> {
  // An inert page is only displayed until React is here: what is rendered now may be another.
  const isInert = root.querySelector(":scope > [inert]") !== null;
  if (root.hasChildNodes() && !isInert) {
    await loadRoutesHere();
    // Without hydration data, `ScrollRestoration` scrolls to the top, although the reader may have scrolled before React started.
    hydrateRoot(root, app(createBrowserRouter(routes, { hydrationData: {} })));
  } else {
    const router = createBrowserRouter(routes);
    if (isInert) await isReady(router);
    createRoot(root).render(app(router));
  }
}

/** Waits for the route's chunks; one that cannot be loaded is left to the router, which says so. */
async function isReady(router: Router): Promise<void> {
  if (router.state.initialized) return;
  await new Promise<void>((resolve) => {
    const stop = router.subscribe(({ initialized }) => {
      if (!initialized) return;
      stop();
      resolve();
    });
  });
}

function app(router: Router): ReactElement {
  return (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <RouterProvider router={router} />
      </CSPProvider>
    </StrictMode>
  );
}

/** What was prerendered must be there at once: a lazy route would first render its fallback. */
async function loadRoutesHere(): Promise<void> {
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy === "function") Object.assign(route, { ...(await route.lazy()), lazy: undefined });
  }
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");
tolerateTranslation();
void start(root);
