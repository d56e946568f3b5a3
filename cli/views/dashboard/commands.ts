/**
 * Implements the commands behind the dashboard's key bindings. They change the dashboard's state and run
 * actions of panes.
 */
import { now } from "../../clock.js";
import type { Shell } from "../kit/shell.js";
import type { Store } from "../kit/store.js";
import { moved } from "../kit/text/list-window.js";
import type { Line } from "../kit/text/spans.js";
import type { Key } from "../terminal/keypress.js";
import { detailsOf } from "./details.js";
import { fieldLines } from "./fields.js";
import { layoutOf } from "./layout.js";
import type { ActionContext, AnyPane, PaneAction, Sources } from "./pane-definition.js";
import type { PaneLoader } from "./pane-loader.js";
import { PANES } from "./panes.js";
import { openSecretDialog } from "./secret-dialog.js";
import {
  currentPane,
  type DashboardAction,
  type DashboardState,
  dataOf,
  type Focus,
  rowIdOf,
  selectedItem,
} from "./state.js";
import { tableLayout } from "./table.js";

export interface CommandOptions {
  sources: Sources;
  store: Store<DashboardState, DashboardAction>;
  shell: Shell;
  loader: PaneLoader;
}

export class DashboardCommands {
  readonly sources: Sources;
  readonly store: Store<DashboardState, DashboardAction>;
  readonly #shell: Shell;
  readonly #loader: PaneLoader;

  constructor({ sources, store, shell, loader }: CommandOptions) {
    this.sources = sources;
    this.store = store;
    this.#shell = shell;
    this.#loader = loader;
  }

  get state(): DashboardState {
    return this.store.getState();
  }

  focus(focus: Focus): void {
    this.store.dispatch({ type: "focus", focus });
  }

  /** Shows a pane, and loads it again. */
  show(index: number, focus?: Focus): void {
    this.store.dispatch({ type: "show", index, ...(focus && { focus }) });
    void this.#loader.reload(currentPane(this.state));
  }

  moveInMenu({ name }: Key): void {
    const index = moved(this.state.current, name, PANES.length, PANES.length);
    if (index !== undefined) this.show(index);
  }

  moveInContent({ name }: Key): void {
    const pane = currentPane(this.state);
    const { items, selected } = dataOf(this.state, pane);
    const rows = this.#visibleRows(pane);
    const index = moved(selected, name, items.length, rows);
    if (index !== undefined && items.length > 0) this.#select(pane, index);
  }

  refresh(): void {
    void this.#loader.reload(currentPane(this.state));
  }

  /** Scrolls the details by one page minus one line, so that one line of the previous page stays visible. */
  scrollDetails(direction: 1 | -1): void {
    const { rowId, top, rows, below } = detailsOf(this.state, this.sources, this.#shell.getSize(), now());
    if (rowId === undefined) return;
    const page = Math.max(1, rows - 1);
    const target = direction > 0 ? top + Math.min(page, below) : Math.max(0, top - page);
    this.store.dispatch({ type: "scroll", rowId, top: target });
  }

  get hasRow(): boolean {
    return selectedItem(this.state) !== undefined;
  }

  /** Whether the window shows the details of the selected row below the table. */
  get hasDetailsPane(): boolean {
    const { details } = currentPane(this.state);
    return this.hasRow && layoutOf(this.#shell.getSize(), details !== undefined).detailsHeight > 0;
  }

  /**
   * Opens a dialog with all columns and details of the selected row, because a small window has no room for
   * them.
   */
  openDetails(): void {
    const pane = currentPane(this.state);
    const item = selectedItem(this.state);
    this.#shell.open({
      title: "Details",
      lines: (width) =>
        pane.details?.(item, this.sources, now(), width) ?? this.#columnLines(pane, item, width),
      bindings: [
        {
          keys: ["escape", "enter", "q"],
          shown: "Esc",
          label: "close",
          run: () => this.#shell.closeOverlay(),
        },
      ],
    });
  }

  #columnLines(pane: AnyPane, item: unknown, width: number): Line[] {
    const columns = pane.columns(this.sources, now());
    return fieldLines(
      columns.map(({ title, cell }) => [title, cell(item).text]),
      width,
    );
  }

  /** Returns the reason why an action cannot run now. Returns undefined if the action can run. */
  refusal(action: PaneAction<unknown>): string | undefined {
    const item = selectedItem(this.state);
    if (!action.needsRow) return undefined;
    const { isNarrow } = layoutOf(this.#shell.getSize(), false);
    if (isNarrow && this.state.focus === "menu") return "Open the pane first, with Tab or Enter.";
    if (item === undefined) return "Select a row first.";
    return action.refusal?.(item);
  }

  run(action: PaneAction<unknown>): void {
    action.run(this.#actionContext, selectedItem(this.state));
  }

  get #actionContext(): ActionContext {
    return {
      sources: this.sources,
      shell: this.#shell,
      showSecret: (secret) => openSecretDialog(this.#shell, secret, this.sources.session.profileName),
      prepareNextSelection: (item) => this.#prepareNextSelection(item),
      reload: (...ids) => {
        for (const pane of PANES) if (ids.includes(pane.id)) void this.#loader.reload(pane);
      },
    };
  }

  #prepareNextSelection(item: unknown): () => void {
    const pane = currentPane(this.state);
    const { items, selected } = dataOf(this.state, pane);
    const id = rowIdOf(pane, item);
    const next = rowIdOf(pane, items[selected + 1] ?? items[selected - 1]);
    return () => {
      const data = dataOf(this.state, pane);
      const index = data.items.findIndex((each) => rowIdOf(pane, each) === next);
      if (index >= 0 && rowIdOf(pane, data.items[data.selected]) === id) this.#select(pane, index);
    };
  }

  #select(pane: AnyPane, index: number): void {
    this.store.dispatch({ type: "select", pane, index, rows: this.#visibleRows(pane) });
  }

  #visibleRows(pane: AnyPane): number {
    const { textWidth, tableRows } = layoutOf(this.#shell.getSize(), pane.details !== undefined);
    const { items } = dataOf(this.state, pane);
    const input = { pane, items, sources: this.sources, now: now(), width: textWidth, height: tableRows };
    return tableLayout(input).rows;
  }
}
