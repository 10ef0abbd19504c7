import { useEffect, type ReactNode } from "react";
import { useRouteError } from "react-router";
import { errors } from "#domain/errors/messages";
import { logError } from "./platform/errors.ts";
import { useTitle } from "./platform/site.ts";
import { useOnline } from "./platform/use-online.ts";
import { Button } from "./ui/button.tsx";
import { Notice } from "./ui/notice.tsx";
import { SkipLink } from "./skip-link.tsx";

/** The last resort: something threw while a page was drawn, or a part of the page could not be loaded, as offline (KEYS-6). */
export function RouteError(): ReactNode {
  const error = useRouteError();
  const isOnline = useOnline();
  const title = isOnline ? "Something went wrong" : "You are offline";
  useTitle(title);
  useEffect(() => logError(error), [error]);
  useEffect(() => {
    addEventListener("online", reload);
    return () => removeEventListener("online", reload);
  }, []);
  return (
    <>
      {/* Stands in place of the root, with its own. */}
      <SkipLink />
      <Notice
        code="Error"
        title={title}
        backTo="/"
        backLabel="Back to the course page"
        // Offline it would lead to the browser's own page, which stays.
        action={isOnline && <Button onClick={reload}>Reload the page</Button>}
      >
        {isOnline ? errors.unexpected.text : "This page opens as soon as the connection is back."}
      </Notice>
    </>
  );
}

const reload = (): void => location.reload();
