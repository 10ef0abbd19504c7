// @ts-check
// Runs before the first paint of a page whose HTML arrives rendered. The sign-in form is for visitors, except those whom a recovery link has
// brought to choose a new password; its "Loading...", the dashboard and the payment page are for whoever is signed in here.
(() => {
  const page = document.documentElement;
  /** @typedef {{ user?: { user_metadata?: { full_name?: string } } }} Session */
  /** @type {Session | null} */
  let session = null;
  try {
    session = /** @type {Session | null} */ (JSON.parse(localStorage.getItem("sb-pipwright-auth-token") ?? "null"));
  } catch {
    // Storage is closed: nobody can be signed in.
  }
  if (session === null) {
    // The router keeps its state of an entry of the history as `usr`.
    const entry = /** @type {{ usr?: { recovery?: string } } | null} */ (history.state);
    const isLinked = location.hash !== "" || entry?.usr?.recovery !== undefined;
    if (!isLinked) page.dataset["arrival"] = "visitor";
    return;
  }
  const name = session.user?.user_metadata?.full_name ?? "";
  for (const place of document.querySelectorAll("[data-arrival-name]")) place.textContent = name;
  page.dataset["arrival"] = "member";
})();
