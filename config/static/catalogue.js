// The catalogue: when results are fetched while one types, the address follows, so that a link back shows them again.

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id === "found") history.replaceState(null, "", detail.pathInfo.finalRequestPath);
});
