import { useEffect } from "react";

/** The operator's name for the site. While the landing page is prerendered it is the mark that the server fills in. */
export function siteName(): string {
  if (typeof document === "undefined") return "%SITE_NAME%";
  return document.querySelector<HTMLMetaElement>('meta[name="site-name"]')?.content ?? "";
}

/** Sets the tab's title while the component is mounted. */
export function useTitle(page: string): void {
  useEffect(() => {
    document.title = `${page} – ${siteName()}`;
  }, [page]);
}
