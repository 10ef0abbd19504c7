import type { ComponentType, ReactNode } from "react";
import { renderToStaticMarkup, renderToString } from "react-dom/server";
import { createStaticHandler, createStaticRouter, StaticRouterProvider, type RouteObject } from "react-router";
import { paymentFile, paymentPage, signInFile, signInForms, signInPage } from "#domain/accounts/next-page";
import { packageTypes } from "#domain/packages";
import { texts } from "#domain/texts/texts";
import { bars } from "./features/landing/bars.ts";
import { courseData } from "./features/landing/course-data.ts";
import { PaymentLoading } from "./features/payment/loading.tsx";
import { StudentLoading } from "./features/student/frame.tsx";
import { routes } from "./router.tsx";
import { PageLoading } from "./ui/spinner.tsx";

/** What the build puts beside the HTML: the data of the page's head, and the prices of the picture for links to it. */
export { bars, courseData };

/** A page as a visitor gets it, as HTML, at build time; `%SITE_NAME%` stands where the server puts the operator's name. */
export async function renderPage(path: string): Promise<string> {
  return renderToString(await pageAt(path, routes));
}

/** What is displayed of a page until React renders it anew. */
interface FirstPaint {
  /** Of the shell that it stands in. */
  route: string;
  path: string;
  /** For whom, as `public/arrival.js` says before it is displayed. */
  className: "hidden in-data-[arrival=visitor]:block" | "hidden in-data-[arrival=member]:block";
  routes: RouteObject[];
}

/** For members: what the app too displays while it reads who they are. */
const ofMember = (route: string, path: string, Loading: ComponentType): FirstPaint => ({
  route,
  path,
  className: "hidden in-data-[arrival=member]:block",
  routes: [{ path: route, Component: Loading }],
});

/** The shells of protected pages that have no heading of their own to arrive with (ACCESS-6). */
const plainShells = ["receipt", "watch", "account", "admin", "admin-preview", "payment-request", "user"];
const SessionLoading = (): ReactNode => <PageLoading text={texts.session.loading} />;

/** By the names of their files. */
const firstPaints = new Map<string, readonly [FirstPaint, ...FirstPaint[]]>([
  ...signInForms.map((form): [string, [FirstPaint, FirstPaint]] => {
    const path = signInPage(form.chosen && paymentPage(form.chosen), form.mode);
    const ofVisitor: FirstPaint = { route: "auth", path, className: "hidden in-data-[arrival=visitor]:block", routes };
    return [signInFile(form), [ofVisitor, ofMember("auth", path, SessionLoading)]];
  }),
  ["student", [ofMember("student", "/student", StudentLoading)]],
  ...packageTypes.map((packageType): [string, [FirstPaint]] => [
    paymentFile(packageType),
    [ofMember("payment", paymentPage(packageType), PaymentLoading)],
  ]),
  ...plainShells.map((route): [string, [FirstPaint]] => [route, [ofMember(route, `/${route}`, SessionLoading)]]),
]);

/** Returns the files of the pages that are displayed before their scripts have run, each with the shell it stands in and its HTML. */
export function renderFirstPaints(): Promise<{ file: string; route: string; content: string }[]> {
  return Promise.all(
    [...firstPaints].map(async ([file, paints]) => ({
      file,
      route: paints[0].route,
      content: (await Promise.all(paints.map(renderFirstPaint))).join(""),
    })),
  );
}

async function renderFirstPaint({ path, className, routes: ofPage }: FirstPaint): Promise<string> {
  return renderToStaticMarkup(
    <div inert aria-hidden className={className}>
      <fieldset disabled className="contents">
        {await pageAt(path, ofPage)}
      </fieldset>
    </div>,
  );
}

async function pageAt(path: string, ofPage: RouteObject[]): Promise<ReactNode> {
  const { query, dataRoutes } = createStaticHandler(ofPage);
  const context = await query(new Request(`http://build.invalid${path}`));
  if (context instanceof Response) throw new Error(`${path} answered ${context.status}.`);
  if (context.errors) throw new Error(`${path} could not be rendered.`, { cause: Object.values(context.errors)[0] });
  // Without hydration data: it would be an inline script, which the content policy forbids.
  return <StaticRouterProvider router={createStaticRouter(dataRoutes, context)} context={context} hydrate={false} />;
}
