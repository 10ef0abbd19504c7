import { renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { bars } from "./features/landing/bars.ts";
import { courseData } from "./features/landing/course-data.ts";
import { routes } from "./router.tsx";

/** What the build puts beside the HTML: the data of the page's head, and the prices of the picture for links to it. */
export { bars, courseData };

/** The landing page as HTML, at build time; `%SITE_NAME%` stands where the server puts the operator's name. */
export async function renderLanding(): Promise<string> {
  const { query, dataRoutes } = createStaticHandler(routes);
  const context = await query(new Request("http://build.invalid/"));
  if (context instanceof Response) throw new Error(`The landing page answered ${context.status}.`);
  if (context.errors) throw new Error("The landing page could not be rendered.", { cause: Object.values(context.errors)[0] });
  // Without hydration data: it would be an inline script, which the content policy forbids.
  return renderToString(
    <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />,
  );
}
