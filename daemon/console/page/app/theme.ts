/** Light or dark, as the system says or as the human chose. */
import { effect, signal } from "@preact/signals";

export const THEMES = ["system", "light", "dark"] as const;
const KEY = "wireroom-theme";

const stored = localStorage.getItem(KEY);
export const theme = signal(THEMES.find((name) => name === stored) ?? "system");

effect(() => {
  if (theme.value === "system") localStorage.removeItem(KEY);
  else localStorage.setItem(KEY, theme.value);
  document.documentElement.dataset.theme = theme.value;
});
