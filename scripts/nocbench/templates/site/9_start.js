// Starts the page that this is.

addEventListener("DOMContentLoaded", () => {
  const start = pages[document.body.dataset.page];
  if (start) start();
  else document.documentElement.dataset.ready = "true";
});
