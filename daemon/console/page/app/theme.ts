/** The light or dark theme. The human can choose one, or use the system's theme. */
import { effect, signal } from "@preact/signals";

export const THEMES = { system: "System theme", light: "Light", dark: "Dark" } as const;
export type Theme = keyof typeof THEMES;
const KEY = "wireroom-theme";

/** `public/theme.js` has set the stored one. */
export const theme = signal((document.documentElement.dataset.theme ?? "system") as Theme);

effect(() => {
  if (theme.value === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.value);
  document.documentElement.dataset.theme = theme.value;
});
