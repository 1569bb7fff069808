// The catalogue: when results are fetched while one types, the address follows, so that a link back shows them again.

document.addEventListener("htmx:afterSwap", ({ detail }) => {
  if (detail.target?.id !== "found") return;
  const address = new URL(detail.pathInfo.finalRequestPath, location.href);
  for (const [name, value] of [...address.searchParams]) if (!value) address.searchParams.delete(name);
  history.replaceState(null, "", address);
});
