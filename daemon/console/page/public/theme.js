// Runs before the first paint, so that a chosen theme does not begin in the colours of the system.
document.documentElement.dataset.theme = localStorage.getItem("wireroom-theme") ?? "system";
