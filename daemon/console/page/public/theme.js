// Runs before the first paint, so that a chosen theme does not begin in the colours of the system.
try {
  document.documentElement.dataset.theme = localStorage.getItem("wireroom-theme") ?? "system";
} catch {
  // The browser blocks the storage, so there is no chosen theme.
}
