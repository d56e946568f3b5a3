/** The key bindings of the dashboard. The panes declare the keys that act on their rows. */
import { type KeyBinding, unless } from "../frame/key-bindings.js";
import { MOVES } from "../frame/pane.js";
import type { Dashboard } from "./dashboard.js";
import { PANES } from "./panes.js";

/** Returns the key bindings. Actions come first, because a narrow foot line names only the first keys. */
export function dashboardKeys(dashboard: Dashboard): KeyBinding[] {
  const { layout, pane, item } = dashboard;
  const inMenu = dashboard.state.focus === "menu";
  const hasDetails = unless(item !== undefined && layout.detailsHeight > 0);
  const actions = pane.actions.map((action): KeyBinding => {
    const { key, label, help } = action;
    const run = () => dashboard.run(action);
    return { keys: [key], label, ...(help && { help }), refusal: dashboard.refusal(action), run };
  });
  const selection: KeyBinding = {
    keys: MOVES,
    shown: "↑↓",
    label: "choose",
    help: "also j k, Page Up, Page Down, Home, End",
    run: (key) => (inMenu ? dashboard.moveInMenu(key) : dashboard.moveInTable(key)),
  };
  const focus: KeyBinding[] = [
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      label: "menu",
      help: "also ← and Esc",
      refusal: unless(!inMenu),
      run: () => dashboard.focus("menu"),
    },
    {
      keys: ["tab", "shift-tab", "right", "enter"],
      label: "pane",
      help: "back from the menu; also → and Enter",
      refusal: unless(inMenu),
      run: () => dashboard.focus("content"),
    },
  ];
  const details: KeyBinding[] = [
    {
      keys: ["enter"],
      label: "details",
      help: "of the selected row, in a dialog",
      refusal: unless(!inMenu && item !== undefined),
      run: () => dashboard.openDetails(),
    },
    {
      keys: ["J"],
      shown: "J K",
      label: "scroll details",
      help: "down and up, by a page",
      only: "help",
      refusal: hasDetails,
      run: () => dashboard.scrollDetails(1),
    },
    { keys: ["K"], refusal: hasDetails, run: () => dashboard.scrollDetails(-1) },
  ];
  const others: KeyBinding[] = [
    {
      keys: PANES.map((_, i) => String(i + 1)),
      shown: `1–${PANES.length}`,
      label: "show pane",
      only: "help",
      run({ name }) {
        dashboard.show(Number(name) - 1);
        dashboard.focus("content");
      },
    },
    { keys: ["f", "ctrl-r"], label: "update now", only: "help", run: () => dashboard.refresh() },
  ];
  return layout.isNarrow
    ? [...actions, ...focus, ...details, selection, ...others]
    : [selection, ...focus, ...actions, ...details, ...others];
}
