/** The styles of the views. Colour never carries meaning alone: a word or symbol always shows the same. */
import type { Style } from "./spans.js";

export const THEME = {
  /** The focused pane or field. */
  accent: { color: "cyan" },
  title: { bold: true },
  faint: { dim: true },
  /** Names of handles and spaces. */
  name: { color: "cyan" },
  own: { color: "green" },
  fresh: { color: "yellow", bold: true },
  knock: { color: "magenta" },
  good: { color: "green" },
  warning: { color: "yellow" },
  bad: { color: "red" },
  key: { color: "cyan", bold: true },
  json: { color: "blue" },
} as const satisfies Record<string, Style>;
