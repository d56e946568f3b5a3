/** The light or dark theme. The human can choose one, or use the system's theme. */
import { effect, signal } from "@preact/signals";
import { local } from "./memory.js";

export const THEMES = { system: "System theme", light: "Light", dark: "Dark" } as const;
export type Theme = keyof typeof THEMES;
const KEY = "wireroom-theme";

const stored = local.getItem(KEY);
/** `public/theme.js` applies the stored theme before the first paint. */
export const theme = signal<Theme>(stored !== null && stored in THEMES ? (stored as Theme) : "system");

effect(() => {
  if (theme.value === "system") local.removeItem(KEY);
  else local.setItem(KEY, theme.value);
  document.documentElement.dataset.theme = theme.value;
});
