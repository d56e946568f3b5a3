/**
 * The dashboard's state: the current pane, and each pane's rows and selected row. The loader delivers rows,
 * keys move the selection, and an action runs on the selected row. The selection follows its row by id, so
 * that an action never applies to another row that moved to the same position.
 */
import { now } from "../../clock.js";
import { plain } from "../../output/colours.js";
import type { Explanation } from "../../output/error-text.js";
import { explain } from "../../output/errors.js";
import { valuesOf } from "../frame/form.js";
import { Store } from "../frame/hooks.js";
import { moved } from "../frame/pane.js";
import type { Shell } from "../frame/shell.js";
import type { Line } from "../styled-text/spans.js";
import type { Key } from "../terminal/keyboard.js";
import { type Layout, layoutOf } from "./layout.js";
import { PaneLoader } from "./loader.js";
import type { Action, AnyPane, Sources } from "./pane.js";
import { PANES } from "./panes.js";
import { detailLines, tableOf } from "./table.js";

/** A pane's rows as last loaded. If a later load fails, the rows are hidden, but the selection is kept. */
export interface PaneRows {
  readonly items: readonly unknown[];
  /** Index of the selected row. */
  readonly selected: number;
  /** Id of a row to select as soon as it is loaded, such as a new one. */
  readonly wanted: string | undefined;
  readonly isLoaded: boolean;
  /** Why the last load failed. */
  readonly failure: Explanation | undefined;
}

export interface DashboardState {
  /** Index of the current pane. */
  readonly current: number;
  readonly focus: "menu" | "content";
  readonly rows: Readonly<Record<string, PaneRows>>;
  /** Id of the row whose details are scrolled, and index of the first visible line of these details. */
  readonly scrolled: { readonly id: string | undefined; readonly top: number };
}

const NOT_LOADED: PaneRows = {
  items: [],
  selected: 0,
  wanted: undefined,
  isLoaded: false,
  failure: undefined,
};

export interface VisibleDetails {
  readonly lines: readonly Line[];
  /** Index of the first visible line, and the number of lines below the visible ones. */
  readonly top: number;
  readonly below: number;
}

export class Dashboard {
  readonly store = new Store<DashboardState>({
    current: PANES.findIndex(({ id }) => id === "handles"),
    focus: "content",
    rows: {},
    scrolled: { id: undefined, top: 0 },
  });
  readonly loader: PaneLoader;
  readonly menuPosition = { first: 0 };
  readonly #positions = new Map<string, { first: number }>();

  constructor(
    readonly sources: Sources,
    private readonly shell: Shell,
  ) {
    this.loader = new PaneLoader(sources, () => this.pane, {
      loaded: (pane, items) => this.#loaded(pane, items),
      failed: (pane, error) => this.#setRows(pane, { isLoaded: true, failure: explain(error, plain) }),
      answered: (isReachable) => (isReachable ? shell.connected() : shell.disconnected()),
      ended: (error) => shell.leave(error as Error),
    });
  }

  get state(): DashboardState {
    return this.store.getState();
  }

  get pane(): AnyPane {
    return PANES[this.state.current]!;
  }

  get layout(): Layout {
    return layoutOf(this.shell.getSize(), this.pane.details !== undefined && this.item !== undefined);
  }

  rowsOf({ id }: AnyPane): PaneRows {
    return this.state.rows[id] ?? NOT_LOADED;
  }

  positionOf({ id }: AnyPane): { first: number } {
    const position = this.#positions.get(id) ?? { first: 0 };
    this.#positions.set(id, position);
    return position;
  }

  /** Undefined if the pane has no rows. */
  get item(): unknown {
    const { items, selected, failure } = this.rowsOf(this.pane);
    return failure ? undefined : items[selected];
  }

  focus(focus: DashboardState["focus"]): void {
    this.store.set({ focus });
  }

  /** Shows a pane, and loads it again. */
  show(current: number): void {
    this.store.set({ current });
    this.refresh();
  }

  moveInMenu({ name }: Key): void {
    this.show(moved(this.state.current, name, PANES.length, PANES.length));
  }

  moveInTable({ name }: Key): void {
    const { pane, layout } = this;
    if (this.item === undefined) return;
    const { items, selected } = this.rowsOf(pane);
    const { rows } = tableOf({ pane, items, sources: this.sources, now: now(), layout });
    const index = moved(selected, name, items.length, rows);
    this.#setRows(pane, { selected: index });
  }

  refresh(): void {
    void this.loader.reload(this.pane);
  }

  details({ textWidth, detailsRows }: Layout, time: number): VisibleDetails {
    const { item, pane } = this;
    const { scrolled } = this.state;
    const all = item === undefined ? [] : detailLines(pane, item, this.sources, time, textWidth);
    const last = Math.max(0, all.length - detailsRows);
    const top = scrolled.id === idOf(pane, item) ? Math.min(scrolled.top, last) : 0;
    return { lines: all.slice(top, top + detailsRows), top, below: last - top };
  }

  /** Scrolls the details by a page minus one line, so that one line stays visible. */
  scrollDetails(direction: 1 | -1): void {
    const { top, below } = this.details(this.layout, now());
    const page = Math.max(1, this.layout.detailsRows - 1);
    const target = direction > 0 ? top + Math.min(page, below) : Math.max(0, top - page);
    this.store.set({ scrolled: { id: idOf(this.pane, this.item), top: target } });
  }

  openDetails(): void {
    const { pane, item } = this;
    this.shell.open({
      title: "Details",
      lines: (width) => detailLines(pane, item, this.sources, now(), width),
      bindings: [{ keys: ["escape", "enter", "q"], label: "close", run: () => this.shell.closeOverlay() }],
    });
  }

  refusal({ needsRow, refusal }: Action<unknown>): string | undefined {
    if (needsRow === false) return undefined;
    if (this.layout.isNarrow && this.state.focus === "menu") return "Open the pane first, with Tab or Enter.";
    return this.item === undefined ? "Select a row first." : refusal?.(this.item);
  }

  run(action: Action<unknown>): void {
    const { item, sources, shell } = this;
    const form = action.form?.(item, sources);
    const question = action.question?.(item, sources);
    const start = () => {
      if (form) shell.openForm(form, { submit: (sent) => this.#perform(action, item, valuesOf(sent)) });
      else void shell.attempt(action.busy ?? action.label, () => this.#perform(action, item, {}));
    };
    if (question) shell.ask({ ...question, run: start });
    else start();
  }

  async #perform(
    action: Action<unknown>,
    item: unknown,
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { pane, sources, shell } = this;
    const { items, selected } = this.rowsOf(pane);
    const next = idOf(pane, items[selected + 1] ?? items[selected - 1]);
    const reload = () => {
      sources.resetAgent();
      const loads = PANES.map((each) => [each, this.loader.reload(each)] as const);
      return loads.find(([each]) => each === pane)![1];
    };
    const select = (id: string) => this.#setRows(pane, { wanted: id });
    const message = await action.run({ sources, shell, reload, select }, item, values);
    // Keep the selection if the user has selected another row during the request.
    const current = this.rowsOf(pane);
    if (action.movesRow && idOf(pane, current.items[current.selected]) === idOf(pane, item))
      this.#setRows(pane, { selected: indexOf(pane, current.items, next) ?? current.selected });
    // The form closes when the new row is selected, so that the next key acts on that row.
    await reload();
    if (message !== undefined) shell.notify(message, "good");
  }

  #loaded(pane: AnyPane, items: readonly unknown[]): void {
    const before = this.rowsOf(pane);
    // Most polls return the rows that are already shown. Skip these, so that nothing is rendered again.
    const isShown = before.isLoaded && !before.failure && before.wanted === undefined;
    if (isShown && JSON.stringify(before.items) === JSON.stringify(items)) return;
    const selectedId = idOf(pane, before.items[before.selected]);
    const nearest = Math.max(0, Math.min(before.selected, items.length - 1));
    const wanted = items.findIndex((item) => pane.idOf(item) === before.wanted);
    const selected = wanted < 0 ? (indexOf(pane, items, selectedId) ?? nearest) : wanted;
    this.#setRows(pane, { items, selected, wanted: undefined, isLoaded: true, failure: undefined });
  }

  #setRows(pane: AnyPane, part: Partial<PaneRows>): void {
    const rows = { ...this.rowsOf(pane), ...part };
    this.store.set({ rows: { ...this.state.rows, [pane.id]: rows } });
  }
}

function idOf(pane: AnyPane, item: unknown): string | undefined {
  return item === undefined ? undefined : `${pane.id} ${pane.idOf(item)}`;
}

function indexOf(pane: AnyPane, items: readonly unknown[], id: string | undefined): number | undefined {
  const index = items.findIndex((item) => idOf(pane, item) === id);
  return index < 0 ? undefined : index;
}
