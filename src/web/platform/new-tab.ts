import type { ErrorCode } from "#domain/messages";
import { logError, messageOf } from "./errors.ts";

/**
 * Opens a tab at once, while the click still allows it, and sends it on when the server has said where to. Answers what went
 * wrong, if anything did.
 */
export async function openInNewTab(findUrl: () => Promise<{ url: string }>, fallback: ErrorCode): Promise<string | undefined> {
  const tab = window.open("about:blank", "_blank");
  if (tab === null) {
    const text = "Your browser blocked the new tab. Please allow pop-ups for this site and try again.";
    logError(new Error(text));
    return text;
  }
  // What opens may be at an outside address: it learns nothing of this page and cannot reach back.
  tab.opener = null;
  try {
    const { url } = await findUrl();
    tab.location.replace(new URL(url, location.href).href);
    return undefined;
  } catch (error) {
    tab.close();
    return messageOf(error, fallback);
  }
}
