/** The key bindings of the dashboard. */
import type { KeyBinding } from "../kit/bindings.js";
import { MOVES } from "../kit/text/list-window.js";
import type { DashboardCommands } from "./commands.js";
import type { PaneAction } from "./pane-definition.js";
import { PANES } from "./panes.js";
import { currentPane } from "./state.js";

/** @param isNarrow whether the foot line has room for only a few keys. If so, the actions are named first. */
export function dashboardBindings(commands: DashboardCommands, isNarrow: boolean): KeyBinding[] {
  const actions = currentPane(commands.state).actions.map((action) => actionBinding(commands, action));
  const details = detailsBindings(commands);
  const focus = focusBindings(commands);
  const selection = selectionBindings(commands);
  const ordered = isNarrow
    ? [...actions, ...focus, ...details, ...selection]
    : [...selection, ...focus, ...actions, ...details];
  return [...ordered, ...otherBindings(commands)];
}

/** Bindings that move the selection in the menu or in the pane. */
function selectionBindings(commands: DashboardCommands): KeyBinding[] {
  return [
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      when: () => commands.state.focus === "content",
      run: (key) => commands.moveInContent(key),
    },
    {
      keys: MOVES,
      shown: "↑↓",
      label: "choose",
      isInHelp: false,
      when: () => commands.state.focus === "menu",
      run: (key) => commands.moveInMenu(key),
    },
  ];
}

/** Bindings that switch between the menu and the pane. */
function focusBindings(commands: DashboardCommands): KeyBinding[] {
  return [
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      shown: "Tab",
      label: "menu",
      help: "also ← and Esc",
      when: () => commands.state.focus === "content",
      run: () => commands.focus("menu"),
    },
    {
      keys: ["tab", "shift-tab", "right", "enter"],
      shown: "Tab",
      label: "pane",
      help: "back from the menu; also → and Enter",
      when: () => commands.state.focus === "menu",
      run: () => commands.focus("content"),
    },
  ];
}

function actionBinding(commands: DashboardCommands, action: PaneAction<unknown>): KeyBinding {
  const { key, label, help } = action;
  return {
    keys: [key],
    shown: key,
    label,
    ...(help !== undefined && { help }),
    when: () => commands.refusal(action) === undefined,
    otherwise: () => commands.refusal(action),
    run: () => commands.run(action),
  };
}

function detailsBindings(commands: DashboardCommands): KeyBinding[] {
  return [
    {
      keys: ["enter"],
      shown: "Enter",
      label: "details",
      help: "of the selected row, in a dialog",
      when: () => commands.state.focus === "content" && commands.hasRow,
      run: () => commands.openDetails(),
    },
    {
      keys: ["J"],
      shown: "J K",
      label: "scroll details",
      help: "down and up, by a page",
      isRare: true,
      when: () => commands.hasDetailsPane,
      run: () => commands.scrollDetails(1),
    },
    { keys: ["K"], when: () => commands.hasDetailsPane, run: () => commands.scrollDetails(-1) },
  ];
}

function otherBindings(commands: DashboardCommands): KeyBinding[] {
  return [
    {
      keys: PANES.map((_, i) => String(i + 1)),
      shown: `1–${PANES.length}`,
      label: "show pane",
      isRare: true,
      run: ({ name }) => commands.show(Number(name) - 1, "content"),
    },
    {
      keys: ["f", "ctrl-r"],
      shown: "f",
      label: "update now",
      isRare: true,
      run: () => commands.refresh(),
    },
  ];
}
