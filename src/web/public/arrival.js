// @ts-check
// Runs before the first paint of the sign-in page. The form that it arrives with is for visitors: not for who is signed in here, nor for whom
// a link has led here to choose a new password.
(() => {
  const isVisitor = () => {
    try {
      return localStorage.getItem("sb-pipwright-auth-token") === null;
    } catch {
      // Storage is closed: nobody can be signed in.
      return true;
    }
  };
  // The router keeps its state of an entry of the history as `usr`.
  const entry = /** @type {{ usr?: { recovery?: string } } | null} */ (history.state);
  const isLinked = location.hash !== "" || entry?.usr?.recovery !== undefined;
  if (isVisitor() && !isLinked) document.documentElement.dataset["arrival"] = "visitor";
})();
