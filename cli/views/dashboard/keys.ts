/** The key bindings of the dashboard. */
import type { KeyBinding } from "../frame/key-bindings.js";
import { MOVES } from "../frame/list-window.js";
import type { Dashboard } from "./dashboard.js";
import type { Action } from "./pane.js";
import { PANES } from "./panes.js";

/** Returns the key bindings. Actions come first, because a narrow foot line names only the first keys. */
export function dashboardKeys(dashboard: Dashboard): KeyBinding[] {
  const { layout, pane } = dashboard;
  const actions = pane.actions.map((action) => actionKey(dashboard, action));
  const isIn = (focus: "menu" | "content") => () => dashboard.state.focus === focus;
  const hasRow = () => dashboard.item !== undefined;
  const hasDetails = () => hasRow() && dashboard.layout.detailsHeight > 0;
  const selection: KeyBinding[] = [
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      run: (key) => (isIn("menu")() ? dashboard.moveInMenu(key) : dashboard.moveInTable(key)),
    },
  ];
  const focus: KeyBinding[] = [
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      shown: "Tab",
      label: "menu",
      help: "also ← and Esc",
      when: isIn("content"),
      run: () => dashboard.focus("menu"),
    },
    {
      keys: ["tab", "shift-tab", "right", "enter"],
      shown: "Tab",
      label: "pane",
      help: "back from the menu; also → and Enter",
      when: isIn("menu"),
      run: () => dashboard.focus("content"),
    },
  ];
  const details: KeyBinding[] = [
    {
      keys: ["enter"],
      shown: "Enter",
      label: "details",
      help: "of the selected row, in a dialog",
      when: () => isIn("content")() && hasRow(),
      run: () => dashboard.openDetails(),
    },
    {
      keys: ["J"],
      shown: "J K",
      label: "scroll details",
      help: "down and up, by a page",
      isRare: true,
      when: hasDetails,
      run: () => dashboard.scrollDetails(1),
    },
    { keys: ["K"], when: hasDetails, run: () => dashboard.scrollDetails(-1) },
  ];
  const others: KeyBinding[] = [
    {
      keys: PANES.map((_, i) => String(i + 1)),
      shown: `1–${PANES.length}`,
      label: "show pane",
      isRare: true,
      run({ name }) {
        dashboard.show(Number(name) - 1);
        dashboard.focus("content");
      },
    },
    {
      keys: ["f", "ctrl-r"],
      shown: "f",
      label: "update now",
      isRare: true,
      run: () => dashboard.refresh(),
    },
  ];
  return layout.isNarrow
    ? [...actions, ...focus, ...details, ...selection, ...others]
    : [...selection, ...focus, ...actions, ...details, ...others];
}

function actionKey(dashboard: Dashboard, action: Action<unknown>): KeyBinding {
  const { key, label, help } = action;
  return {
    keys: [key],
    shown: key,
    label,
    ...(help !== undefined && { help }),
    when: () => dashboard.refusal(action) === undefined,
    otherwise: () => dashboard.refusal(action),
    run: () => dashboard.run(action),
  };
}
