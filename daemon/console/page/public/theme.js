// Runs before the first paint, so that the page never flashes in the colours of the system theme.
try {
  document.documentElement.dataset.theme = localStorage.getItem("wireroom-theme") ?? "system";
} catch {
  // The browser blocks its storage, so no theme is stored.
}
