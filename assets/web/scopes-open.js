
"use strict";
// What follows "#" never reaches the server by itself; in the body of a form it does, and in no log.
{
  const at = (id) => document.getElementById(id);
  const secret = location.hash.slice(1);
  // Out of the address bar: not in the history, not in a screenshot.
  history.replaceState(null, "", "/scopes");
  // Another address opened over this page changes the fragment only, and loads nothing by itself.
  addEventListener("hashchange", () => location.reload());

  if (secret) {
    at("open").elements.secret.value = secret;
    at("open").submit();
  } else {
    at("title").textContent = "Open the whole address";
    at("text").textContent = "This address is missing its last part, the one after “#”. Open it exactly as the terminal shows it, or ask for the page again: S on the connection.";
  }
}
