import { ProductError } from "#domain/errors/messages";
import { logError } from "./errors.ts";

/** Opens a tab at once, while the click still allows it, and goes to the address once it is found. Throws when either fails. */
export async function openInNewTab(findUrl: () => Promise<{ url: string }>): Promise<void> {
  const tab = window.open("about:blank", "_blank");
  if (tab === null) throw blocked();
  // The address may be outside: it can neither see this page nor reach back.
  tab.opener = null;
  try {
    const { url } = await findUrl();
    tab.location.replace(new URL(url, location.href).href);
  } catch (error) {
    tab.close();
    throw error;
  }
}

function blocked(): ProductError {
  const error = new ProductError("unexpected", {
    text: "Your browser blocked the new tab. Please allow pop-ups for this site and try again.",
  });
  logError(error);
  return error;
}
