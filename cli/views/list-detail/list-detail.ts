/**
 * The state of a view that lists the rows of nouns, and shows the details of the selected row. The loader
 * delivers rows, keys move the selection, and an action runs on the selected row. The selection follows its
 * row by id, so that an action never applies to another row that moved to the same position.
 */
import { now } from "../../clock.js";
import { plain } from "../../output/colours.js";
import type { Explanation } from "../../output/error-text.js";
import { explain } from "../../output/errors.js";
import { type Form, valuesOf } from "../frame/form.js";
import { Store } from "../frame/hooks.js";
import { BORDER, type ListPosition, moved } from "../frame/pane.js";
import type { Shell } from "../frame/shell.js";
import { edited, type TextBuffer } from "../frame/text-buffer.js";
import type { Key } from "../terminal/keyboard.js";
import { type Layout, layoutOf } from "./layout.js";
import { Loader } from "./loader.js";
import type { Action, AnyNoun, Detail, View } from "./noun.js";
import { broughtIntoView, type Extent, extentOf, type Place, scrolled } from "./scroll.js";
import { fieldsDetail, matching } from "./table.js";

/** A noun's rows as last loaded. If a later load fails, the rows are hidden, but the selection is kept. */
export interface Rows {
  readonly items: readonly unknown[];
  /** Id of the selected row, which may not be loaded yet. */
  readonly id: string | undefined;
  /** Index of the selected row. If that row is gone, the row that now has this index is selected. */
  readonly index: number;
  readonly isLoaded: boolean;
  readonly failure: Explanation | undefined;
}

export interface State {
  /** Index of the current noun. */
  readonly current: number;
  readonly focus: "menu" | "list" | "detail";
  readonly rows: Readonly<Record<string, Rows>>;
  /** The position in the detail pane. It applies only to the content with the id `of`. */
  readonly place: Place & { readonly of: string | undefined };
  /** Undefined without a filter. */
  readonly filter: TextBuffer | undefined;
  readonly isFiltering: boolean;
}

export interface Content {
  readonly detail: Detail | undefined;
  readonly place: Place;
  readonly extent: Extent;
  /** The number of visible lines. */
  readonly rows: number;
}

const NOT_LOADED: Rows = { items: [], id: undefined, index: 0, isLoaded: false, failure: undefined };
const START: Place = { selected: 0, top: 0 };

export class ListDetail implements View {
  readonly store: Store<State>;
  readonly loader: Loader;
  /** Cache of the rows that match the filter. */
  #matches: { items: readonly unknown[]; words: string; shown: readonly unknown[] } | undefined;
  readonly #positions = new Map<string, ListPosition>();
  /** Forms that the user closed without sending. */
  readonly #drafts = new Map<string, Form>();

  /** @param beforeReload called before all nouns are loaded again */
  constructor(
    readonly shell: Shell,
    readonly nouns: readonly AnyNoun[],
    private readonly beforeReload = () => {},
  ) {
    this.store = new Store<State>({
      current: Math.max(
        0,
        nouns.findIndex(({ id }) => id === "handles"),
      ),
      focus: "list",
      rows: {},
      place: { ...START, of: undefined },
      filter: undefined,
      isFiltering: false,
    });
    this.loader = new Loader(nouns, () => this.noun, {
      loaded: (noun, items) => this.#loaded(noun, items),
      failed: (noun, error) => this.#setRows(noun, { isLoaded: true, failure: explain(error, plain) }),
      answered: (isReachable) => this.#answered(isReachable),
      ended: (error) => shell.leave(error as Error),
    });
    for (const noun of nouns) noun.open?.(this);
  }

  /** Loads the nouns until `stop` is called. */
  run(): void {
    void this.loader.run();
  }

  stop(): void {
    this.loader.stop();
    for (const noun of this.nouns) noun.close?.();
  }

  get state(): State {
    return this.store.getState();
  }

  get noun(): AnyNoun {
    return this.nouns[this.state.current]!;
  }

  get hasMenu(): boolean {
    return this.nouns.length > 1;
  }

  get layout(): Layout {
    const { noun, item, hasMenu } = this;
    const detail = noun.detail ? "beside" : noun.fields && item !== undefined ? "below" : "instead";
    return layoutOf(this.shell.getSize(), { hasMenu, detail, focus: this.state.focus });
  }

  rowsOf({ id }: AnyNoun): Rows {
    return this.state.rows[id] ?? NOT_LOADED;
  }

  positionOf(id: string): ListPosition {
    const position = this.#positions.get(id) ?? { first: 0, rows: 1 };
    this.#positions.set(id, position);
    return position;
  }

  /** The rows of the current noun that match the filter. Empty if the last load failed. */
  get shown(): readonly unknown[] {
    const { noun, state } = this;
    const { items, failure } = this.rowsOf(noun);
    const words = state.filter?.value;
    if (failure || !words) return failure ? [] : items;
    if (this.#matches?.items !== items || this.#matches.words !== words)
      this.#matches = { items, words, shown: matching(noun, items, words) };
    return this.#matches.shown;
  }

  /** Index of the selected row in `shown`. */
  get index(): number {
    const { noun, shown } = this;
    const { id, index } = this.rowsOf(noun);
    const found = shown.findIndex((item) => idOf(noun, item) === id);
    return found < 0 ? Math.max(0, Math.min(index, shown.length - 1)) : found;
  }

  /** Undefined if no row is shown. */
  get item(): unknown {
    return this.shown[this.index];
  }

  get subject(): unknown {
    const { noun, item } = this;
    const part = this.state.focus === "detail" ? this.part : undefined;
    return noun.subjectOf ? noun.subjectOf(item, part) : item;
  }

  get part(): number {
    return this.content.place.selected;
  }

  /** The content of the detail pane, and the position in it. */
  get content(): Content {
    const { noun, item, state } = this;
    const { columns, rows } = this.layout.detail;
    const options = { width: columns - BORDER.columns, now: now() };
    const detail = noun.detail
      ? noun.detail(item, options)
      : item === undefined
        ? undefined
        : fieldsDetail(noun, item, options);
    const place = detail !== undefined && state.place.of === detail.id ? state.place : START;
    return { detail, place, extent: extentOf(detail?.parts ?? []), rows: rows - BORDER.rows };
  }

  readonly focus = (focus: State["focus"]): void => this.store.set({ focus });

  /** Shows a noun, and loads it again. */
  show(current: number): void {
    this.setFilter(undefined, false);
    this.store.set({ current });
    this.#selectRow(this.index);
    void this.loader.reload(this.noun);
  }

  move(key: Key): void {
    const { focus, current } = this.state;
    const { name } = key;
    if (focus === "menu") this.show(moved(current, name, this.nouns.length, this.nouns.length));
    else if (focus === "detail") this.scroll(name);
    else {
      const { shown, noun } = this;
      this.#selectRow(moved(this.index, name, shown.length, this.positionOf(noun.id).rows));
    }
  }

  scroll(key: string): void {
    const { detail, place, extent, rows } = this.content;
    this.store.set({ place: { ...scrolled(place, key, extent, rows), of: detail?.id } });
  }

  showDetail(part?: number): void {
    const { detail, place, extent, rows } = this.content;
    const shown = part === undefined ? place : broughtIntoView({ ...place, selected: part }, extent, rows);
    this.store.set({ place: { ...shown, of: detail?.id } });
  }

  select(id: string): void {
    this.#setRows(this.noun, { id });
  }

  editFilter(key: Key): void {
    const { filter } = this.state;
    if (filter) this.setFilter(edited(filter, key, false) ?? filter, true);
  }

  setFilter(filter: TextBuffer | undefined, isFiltering: boolean): void {
    this.store.set({ filter, isFiltering });
    this.#selectRow(this.index);
  }

  refresh(): void {
    void this.reload();
    this.noun.reloadDetail?.(this.item);
  }

  readonly reload = async (): Promise<void> => {
    this.beforeReload();
    const current = this.loader.reload(this.noun);
    for (const each of this.nouns) if (each !== this.noun) void this.loader.reload(each);
    await current;
  };

  refusal({ needsRow, refusal }: Action<unknown>, subject: unknown): string | undefined {
    if (needsRow !== false) {
      if (!this.layout.list && this.state.focus === "menu") return "Open the list first, with Tab or Enter.";
      if (this.item === undefined) return "Select a row first.";
    }
    return refusal?.(subject);
  }

  /** Asks the action's question, opens its form, or runs it. */
  start(action: Action<unknown>): void {
    const { subject, shell, item, noun } = this;
    const question = action.question?.(subject);
    const form = action.form?.(subject);
    const perform = (values: Readonly<Record<string, string>>) =>
      this.#perform(action, { noun, item, subject }, values);
    const run = () => {
      const draft = action.draft?.(subject);
      if (!form) void shell.attempt(action.busy ?? labelOf(action, subject), () => perform({}));
      else
        shell.openForm((draft !== undefined && this.#drafts.get(draft)) || form, {
          submit: async (sent) => {
            await perform(valuesOf(sent));
            if (draft !== undefined) this.#drafts.delete(draft);
          },
          onCancel: (closed) => draft !== undefined && this.#drafts.set(draft, { ...closed, errors: [] }),
        });
    };
    if (!question) run();
    else if (!(question instanceof Promise)) shell.ask({ ...question, run });
    else
      void shell.attempt(action.busy ?? labelOf(action, subject), async () => {
        const asked = await question;
        // Keep a form that the user has opened in the meantime.
        if (!shell.state.overlay) shell.ask({ ...asked, run });
      });
  }

  async #perform(
    action: Action<unknown>,
    { noun, item, subject }: { noun: AnyNoun; item: unknown; subject: unknown },
    values: Readonly<Record<string, string>>,
  ): Promise<void> {
    const message = await action.run(subject, this, values);
    // Keep the selection if the user has selected another row during the request.
    const isStillSelected = this.noun === noun && idOf(noun, this.item) === idOf(noun, item);
    if (action.movesOn && isStillSelected) this.#selectRow(this.index + 1);
    // Reload before the form closes, so that the next key acts on the new row.
    await this.reload();
    if (message !== undefined) this.shell.notify(message, "good");
  }

  #answered(isReachable: boolean): void {
    const { shell, noun } = this;
    const wasUnreachable = shell.state.unreachableSince !== undefined;
    if (isReachable) shell.connected();
    else shell.disconnected();
    if (isReachable && wasUnreachable) noun.reloadDetail?.(this.item);
  }

  #loaded(noun: AnyNoun, items: readonly unknown[]): void {
    const before = this.rowsOf(noun);
    // Most polls return the rows that are already shown. Skip these, so that nothing is rendered again.
    const isSame = before.items === items || JSON.stringify(before.items) === JSON.stringify(items);
    if (!isSame || !before.isLoaded || before.failure)
      this.#setRows(noun, { items, isLoaded: true, failure: undefined });
    if (noun === this.noun) this.#selectRow(this.index);
  }

  /** Selects a row of the current noun, if it exists. */
  #selectRow(index: number): void {
    const { noun, shown } = this;
    const rows = this.rowsOf(noun);
    const id = idOf(noun, shown[index]);
    if (id === undefined || (id === rows.id && index === rows.index)) return;
    this.#setRows(noun, { id, index });
    if (id !== rows.id) noun.selected?.(shown[index]);
  }

  #setRows(noun: AnyNoun, part: Partial<Rows>): void {
    const rows = { ...this.rowsOf(noun), ...part };
    this.store.set({ rows: { ...this.state.rows, [noun.id]: rows } });
  }
}

export function labelOf({ label }: Action<unknown>, subject: unknown): string {
  return typeof label === "function" ? label(subject) : label;
}

function idOf(noun: AnyNoun, item: unknown): string | undefined {
  return item === undefined ? undefined : noun.idOf(item);
}
