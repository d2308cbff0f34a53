
"use strict";
// What follows "#" never reaches the server, so only the browser can carry an enrollment secret over to the right address.
{
  const onward = document.getElementById("onward");
  onward.href += location.hash;
}
