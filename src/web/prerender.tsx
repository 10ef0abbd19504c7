import type { ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider } from "react-router";
import { paymentPage, signInFile, signInForms, signInPage } from "#domain/accounts/next-page";
import { bars } from "./features/landing/bars.ts";
import { courseData } from "./features/landing/course-data.ts";
import { routes } from "./router.tsx";

/** What the build puts beside the HTML: the data of the page's head, and the prices of the picture for links to it. */
export { bars, courseData };

/** The addresses of the sign-in page that a visitor may arrive at, by the names of their files. */
export const signInPages = new Map(
  signInForms.map((form) => [signInFile(form), signInPage(form.chosen && paymentPage(form.chosen), form.mode)]),
);

/** A page as a visitor gets it, as HTML, at build time; `%SITE_NAME%` stands where the server puts the operator's name. */
export async function renderPage(path: string): Promise<string> {
  return renderToString(await pageAt(path));
}

/** The same, to be displayed until React renders the page anew; hidden unless `public/arrival.js` says that it is for this visit. */
export async function renderFirstPaint(path: string): Promise<string> {
  return renderToStaticMarkup(
    <div inert aria-hidden className="hidden in-data-[arrival=visitor]:block">
      <fieldset disabled className="contents">
        {await pageAt(path)}
      </fieldset>
    </div>,
  );
}

async function pageAt(path: string): Promise<ReactNode> {
  const { query, dataRoutes } = createStaticHandler(routes);
  const context = await query(new Request(`http://build.invalid${path}`));
  if (context instanceof Response) throw new Error(`${path} answered ${context.status}.`);
  if (context.errors) throw new Error(`${path} could not be rendered.`, { cause: Object.values(context.errors)[0] });
  // Without hydration data: it would be an inline script, which the content policy forbids.
  return <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />;
}
