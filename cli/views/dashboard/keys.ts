/** The keys of the dashboard, for its foot and its help. */
import type { KeyHelp } from "../kit/foot.js";
import { PANES } from "./panes.js";
import { currentPane, type DashboardState } from "./state.js";

const MOVE: readonly KeyHelp[] = [
  { keys: "↑↓", does: "choose", more: "also j k, Page Up, Page Down, Home, End" },
  { keys: "Tab", does: "menu", more: "and back; also ← and →" },
];
const OTHERS: readonly KeyHelp[] = [
  { keys: "J K", does: "details", more: "on and back, where there is more of them than fits", rare: true },
  { keys: `1–${PANES.length}`, does: "pane", rare: true },
  { keys: "f", does: "fetch again", rare: true },
];

/** Those of the pane that is shown. */
export function dashboardKeys(state: DashboardState): KeyHelp[] {
  const actions = currentPane(state).actions.map(
    ({ key, does, more }): KeyHelp => ({ keys: key, does, ...(more !== undefined && { more }) }),
  );
  return [...MOVE, ...actions, ...OTHERS];
}
