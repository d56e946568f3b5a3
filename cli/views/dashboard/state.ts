/** The state of the dashboard and its changes. */
import type { Explanation } from "../../output/errors.js";
import { windowStart } from "../kit/text/list-window.js";
import type { AnyPane } from "./pane-definition.js";
import { PANES } from "./panes.js";

export type Focus = "menu" | "content";

/** The rows of a pane. */
export interface PaneData {
  readonly items: readonly unknown[];
  /** Index of the row that actions apply to. */
  readonly selected: number;
  /** Id of the row that was selected before the last load failed. A failed load removes the rows. */
  readonly lastRowId: string | undefined;
  /** Index of the first visible row. */
  readonly first: number;
  readonly isLoaded: boolean;
  /** Why the last load failed. */
  readonly failure: Explanation | undefined;
}

export interface DashboardState {
  /** Index of the pane that is shown. */
  readonly current: number;
  readonly focus: Focus;
  /** By the ids of the panes. */
  readonly data: Readonly<Record<string, PaneData>>;
  /**
   * The row whose details were scrolled, and the index of their first visible line. Other details start at
   * line 0.
   */
  readonly scrolled: { readonly rowId: string; readonly top: number };
}

export type DashboardAction =
  | { type: "show"; index: number; focus?: Focus }
  | { type: "focus"; focus: Focus }
  | { type: "loaded"; pane: AnyPane; items: readonly unknown[] }
  | { type: "failed"; pane: AnyPane; failure: Explanation }
  /** `rows` is the number of rows that fit in the pane. */
  | { type: "select"; pane: AnyPane; index: number; rows: number }
  | { type: "scroll"; rowId: string; top: number };

const NOT_LOADED: PaneData = {
  items: [],
  selected: 0,
  lastRowId: undefined,
  first: 0,
  isLoaded: false,
  failure: undefined,
};

/** The dashboard opens with the handles. */
export const INITIAL_STATE: DashboardState = {
  current: PANES.findIndex(({ id }) => id === "handles"),
  focus: "content",
  data: {},
  scrolled: { rowId: "", top: 0 },
};

export function reduce(state: DashboardState, action: DashboardAction): DashboardState {
  switch (action.type) {
    case "show":
      return { ...state, current: action.index, focus: action.focus ?? state.focus };
    case "focus":
      return { ...state, focus: action.focus };
    case "loaded":
      return loadedState(state, action.pane, action.items);
    case "failed":
      return withData(state, action.pane, {
        items: [],
        lastRowId: selectedRowId(state, action.pane),
        isLoaded: true,
        failure: action.failure,
      });
    case "select": {
      const { pane, index, rows } = action;
      const { items, first } = dataOf(state, pane);
      return withData(state, pane, {
        selected: index,
        first: windowStart(index, items.length, rows, first),
      });
    }
    case "scroll":
      return { ...state, scrolled: { rowId: action.rowId, top: action.top } };
  }
}

/**
 * Returns the state with the loaded rows. The same row stays selected, so that an action cannot apply to
 * another row.
 */
function loadedState(state: DashboardState, pane: AnyPane, items: readonly unknown[]): DashboardState {
  const before = dataOf(state, pane);
  // Most polls return the rows that are already shown. Returning the same state prevents a new render.
  const isUnchanged = before.isLoaded && !before.failure && isSameJson(before.items, items);
  if (isUnchanged) return state;
  const id = selectedRowId(state, pane);
  const found = items.findIndex((item) => rowIdOf(pane, item) === id);
  const selected = found >= 0 ? found : Math.max(0, Math.min(before.selected, items.length - 1));
  return withData(state, pane, { items, selected, isLoaded: true, failure: undefined });
}

/** Returns the id of the selected row, or of the row that was selected before the last load failed. */
function selectedRowId(state: DashboardState, pane: AnyPane): string | undefined {
  const { items, selected, lastRowId, failure } = dataOf(state, pane);
  return failure ? lastRowId : rowIdOf(pane, items[selected]);
}

function isSameJson(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

function withData(state: DashboardState, pane: AnyPane, part: Partial<PaneData>): DashboardState {
  return { ...state, data: { ...state.data, [pane.id]: { ...dataOf(state, pane), ...part } } };
}

export function currentPane({ current }: DashboardState): AnyPane {
  return PANES[current]!;
}

export function dataOf({ data }: DashboardState, { id }: AnyPane): PaneData {
  return data[id] ?? NOT_LOADED;
}

/** Returns the selected row of the current pane. Returns undefined if the pane has no rows. */
export function selectedItem(state: DashboardState): unknown {
  const { items, selected } = dataOf(state, currentPane(state));
  return items[selected];
}

/**
 * Returns an id of the row that is unique among the rows of all panes. Returns undefined if there is no row.
 */
export function rowIdOf(pane: AnyPane, item: unknown): string | undefined {
  return item === undefined ? undefined : `${pane.id} ${pane.idOf(item)}`;
}
