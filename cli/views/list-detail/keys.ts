/** The keys of a view. The nouns declare the keys that act on their rows. */
import { type KeyBinding, unless } from "../frame/key-bindings.js";
import { MOVES } from "../frame/pane.js";
import { EMPTY_TEXT } from "../frame/text-buffer.js";
import { type ListDetail, labelOf } from "./list-detail.js";

/**
 * Returns the key bindings. A narrow foot line names only the first keys: actions, or the way to the list.
 */
export function viewKeys(view: ListDetail): KeyBinding[] {
  const { isFiltering, focus } = view.state;
  if (isFiltering) return filterKeys(view);
  const actions = actionKeys(view);
  const panes = view.layout.isNarrow ? paneKeys(view).toReversed() : paneKeys(view);
  const isActing = view.layout.isNarrow && focus === "list";
  return [...(isActing ? [...actions, ...panes] : [...panes, ...actions]), ...otherKeys(view)];
}

/** Returns the keys while the filter is focused. They handle every key, because letters edit the filter. */
function filterKeys(view: ListDetail): KeyBinding[] {
  const { filter } = view.state;
  return [
    {
      keys: ["enter", "tab"],
      label: "keep the filter",
      run: () => view.setFilter(filter?.value ? filter : undefined, false),
    },
    { keys: ["escape"], label: "show all", run: () => view.setFilter(undefined, false) },
    { keys: ["up", "down"], shown: "↑↓", label: "choose", run: (key) => view.move(key) },
    { keys: ["any"], run: (key) => view.editFilter(key) },
  ];
}

function paneKeys(view: ListDetail): KeyBinding[] {
  const { hasMenu, noun, item } = view;
  const { focus, filter } = view.state;
  const hasDetail = item !== undefined || !hasMenu;
  const name = noun.detailTitle ?? "details";
  return [
    {
      keys: [...MOVES, " "],
      shown: "↑↓",
      label: focus === "detail" ? "scroll" : "choose",
      help: "also j k, Page Up, Page Down, Home, End",
      run: (key) => view.move(key),
    },
    {
      keys: ["escape"],
      label: "show all",
      help: "ends the filter",
      refusal: unless(filter && focus === "list"),
      run: () => view.setFilter(undefined, false),
    },
    {
      keys: ["tab", "shift-tab", "left", "escape"],
      label: "menu",
      help: "also ← and Esc",
      refusal: unless(hasMenu && focus === "list"),
      run: () => view.focus("menu"),
    },
    {
      keys: ["enter", "right", ...(hasMenu ? [] : ["tab", "shift-tab"])],
      shown: hasMenu ? "Enter" : "Tab",
      label: name,
      help: hasMenu ? "also →" : "also Enter and →",
      refusal: unless(hasDetail && focus === "list"),
      run: () => view.focus("detail"),
    },
    {
      keys: ["tab", "shift-tab", "enter", ...(focus === "menu" ? ["right"] : ["escape", "left"])],
      shown: focus === "menu" ? "Tab" : "Esc",
      label: "list",
      help: "back to it; also Tab and Enter",
      refusal: unless(focus !== "list"),
      run: () => view.focus("list"),
    },
  ];
}

function actionKeys(view: ListDetail): KeyBinding[] {
  const { noun, subject } = view;
  return noun.actions.map((action): KeyBinding => {
    const { key, shown, help, only } = action;
    return {
      keys: [key].flat(),
      label: labelOf(action, subject),
      ...(shown && { shown }),
      ...(help && { help }),
      ...(only && { only }),
      refusal: view.refusal(action, subject),
      run: () => view.start(action),
    };
  });
}

function otherKeys(view: ListDetail): KeyBinding[] {
  const { nouns, hasMenu, state } = view;
  const { filter, focus } = state;
  return [
    {
      keys: ["J", "K"],
      shown: "J K",
      label: "scroll details",
      help: "down and up, by a page",
      only: "help",
      refusal: unless(view.layout.showsDetail),
      run: ({ name }) => view.scroll(name),
    },
    {
      keys: ["/"],
      label: "filter",
      help: "the list",
      refusal: unless(focus !== "menu"),
      run() {
        view.focus("list");
        view.setFilter(filter ?? EMPTY_TEXT, true);
      },
    },
    {
      keys: hasMenu ? nouns.map((_, i) => String(i + 1)) : [],
      ...(hasMenu && { shown: `1–${nouns.length}`, label: "show list" }),
      only: "help",
      run({ name }) {
        view.show(Number(name) - 1);
        view.focus("list");
      },
    },
    { keys: ["f", "ctrl-r"], label: "update now", only: "help", run: () => view.refresh() },
  ];
}
