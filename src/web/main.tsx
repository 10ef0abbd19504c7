import { CSPProvider } from "@base-ui/react/csp-provider";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes, RouterProvider } from "react-router";
import { routes } from "./router.tsx";

/** No `await` of the module itself: chunks of routes import this one's chunk, and would wait for it. */
async function start(root: HTMLElement): Promise<void> {
  const isPrerendered = root.hasChildNodes();
  if (isPrerendered) await loadRoutesHere();
  const app = (
    <StrictMode>
      <CSPProvider disableStyleElements>
        <RouterProvider router={createBrowserRouter(routes)} />
      </CSPProvider>
    </StrictMode>
  );
  // An inert page is only displayed until React is here: what is rendered now may be another.
  if (isPrerendered && root.querySelector(":scope > [inert]") === null) hydrateRoot(root, app);
  else createRoot(root).render(app);
}

/** What was prerendered must be there at once: a lazy route would first render its fallback. */
async function loadRoutesHere(): Promise<void> {
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy === "function") Object.assign(route, { ...(await route.lazy()), lazy: undefined });
  }
}

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");
void start(root);
