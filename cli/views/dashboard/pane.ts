/**
 * The definition of a dashboard pane: how to load its rows, their columns and details, and the actions on
 * them. `table.ts` renders the rows, and `dashboard.ts` runs the actions.
 */
import type { Wireroom, WireroomDashboard } from "../../../sdk/src/index.js";
import { relative } from "../../output/units.js";
import type { Session } from "../../session.js";
import type { Form } from "../frame/form.js";
import type { Shell } from "../frame/shell.js";
import { type Style, THEME } from "../styled-text/spans.js";

export interface Sources {
  readonly session: Session;
  /** Sends requests as the human. */
  readonly human: WireroomDashboard;
  /** Throws a `Failure` if no handle is active. */
  agent(): Promise<Wireroom>;
  /** Discards the client that `agent` returned, because the active handle or its key has changed. */
  resetAgent(): void;
  /** The slugs (without `@`) of the human's handles, by handle id, as last loaded. */
  readonly handles: Map<string, string>;
}

export interface Column<Item> {
  readonly title: string;
  /** @param now milliseconds since 1970 */
  text(item: Item, sources: Sources, now: number): string;
  readonly style?: Style | ((item: Item) => Style | undefined);
  /** Whether the column shrinks to `minWidth` if the table is too wide. */
  readonly flexible?: boolean;
  readonly minWidth?: number;
  /** A narrow window drops the columns with the highest rank first, and never a column without a rank. */
  readonly rank?: number;
}

/** Pairs without a value are not shown. */
export type Details = readonly (readonly [name: string, value: string | undefined])[];

export interface Action<Item> {
  readonly key: string;
  /** One or two words. */
  readonly label: string;
  /** Further words for the help. */
  readonly help?: string;
  readonly needsRow?: false;
  /** Returns why the action does not apply to this row. Returns undefined if it applies. */
  refusal?(item: Item): string | undefined;
  /** Asks for confirmation before the action runs. */
  question?(item: Item, sources: Sources): { title: string; lines: readonly string[]; yes: string };
  /** Opens a form before the action runs. If the action fails, the form stays open and shows the error. */
  form?(item: Item, sources: Sources): Form;
  readonly busy?: string;
  /**
   * @param values the values of the form's fields
   * @returns a success message, or undefined if the action shows its result itself
   */
  run(
    context: ActionContext,
    item: Item,
    values: Readonly<Record<string, string>>,
  ): Promise<string | undefined>;
  /** True if the action removes the row, so that the selection moves to the next row. */
  readonly movesRow?: true;
}

export interface ActionContext {
  readonly sources: Sources;
  readonly shell: Shell;
  /** Loads all panes again, with a new client for the active handle. Also called after each action. */
  reload(): Promise<void>;
  /** Selects a row of this pane, which may not be loaded yet. */
  select(id: string): void;
}

export interface Pane<Item> {
  readonly id: string;
  readonly title: string;
  /** Text of a pane without rows. */
  readonly emptyText: string;
  /** True if `load` acts as the active handle. A credential error then affects only this pane. */
  readonly needsAgent?: true;
  load(sources: Sources, signal: AbortSignal): Promise<readonly Item[]>;
  idOf(item: Item): string;
  readonly columns: readonly Column<Item>[];
  /** Returns the details shown below the table. If absent, a dialog lists the row's columns instead. */
  details?(item: Item, now: number): Details;
  text?(item: Item): string;
  /** Decides whether the menu counts a row. False hides the pane's count. By default, all rows count. */
  readonly isCounted?: false | ((item: Item) => boolean);
  readonly actions: readonly Action<Item>[];
}

/** A pane with rows of any type, for lists that contain different panes. */
// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the pane that loaded them
export type AnyPane = Pane<any>;

export function timeColumn<Item>(
  title: string,
  time: (item: Item) => string | null,
  rank: number,
  absent = "-",
): Column<Item> {
  const text = (item: Item, _sources: Sources, now: number) => ageOf(time(item), now, absent);
  return { title, text, style: THEME.faint, rank };
}

export function ageOf(time: string | null, now: number, absent = "-"): string {
  return time === null ? absent : relative(time, now);
}
