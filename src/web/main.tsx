import { CSPProvider } from "@base-ui/react/csp-provider";
import { StrictMode } from "react";
import { createRoot, hydrateRoot } from "react-dom/client";
import { createBrowserRouter, matchRoutes, RouterProvider } from "react-router";
import { routes } from "./router.tsx";

const root = document.getElementById("root");
if (root === null) throw new Error("The page has no #root.");

const isPrerendered = root.hasChildNodes();
// What is hydrated must be there at once: a lazy route would first render its fallback.
if (isPrerendered) {
  for (const { route } of matchRoutes(routes, location) ?? []) {
    if (typeof route.lazy === "function") Object.assign(route, { ...(await route.lazy()), lazy: undefined });
  }
}

const app = (
  <StrictMode>
    <CSPProvider disableStyleElements>
      <RouterProvider router={createBrowserRouter(routes)} />
    </CSPProvider>
  </StrictMode>
);
if (isPrerendered) hydrateRoot(root, app);
else createRoot(root).render(app);
