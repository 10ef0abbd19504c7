import { useEffect, type ReactNode } from "react";
import { useRouteError } from "react-router";
import { errors } from "#domain/errors/messages";
import { logError } from "./platform/errors.ts";
import { useTitle } from "./platform/site.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";
import { SkipLink } from "./skip-link.tsx";

/** The last resort: something threw while a page was drawn, or a part of the page could not be loaded. */
export function RouteError(): ReactNode {
  const error = useRouteError();
  useTitle("Something went wrong");
  useEffect(() => logError(error), [error]);
  return (
    <>
      {/* Stands in place of the root, with its own. */}
      <SkipLink />
      <Notice
        code="Error"
        title="Something went wrong"
        backTo="/"
        backLabel="Back to the course page"
        action={<Button onClick={() => location.reload()}>Reload the page</Button>}
      >
        {errors.unexpected.text}
      </Notice>
    </>
  );
}
