/**
 * The declaration of a dashboard pane: how its rows are loaded, the columns and details that they have, and
 * the actions on them. `table.ts` shows the rows, and `dashboard.ts` runs the actions.
 */
import type { Wireroom, WireroomDashboard } from "../../../sdk/src/index.js";
import { relative } from "../../output/units.js";
import type { Session } from "../../session.js";
import type { Form } from "../frame/form.js";
import type { Shell } from "../frame/shell.js";
import type { Style } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";

/** The session, and the clients with which panes load their rows. */
export interface Sources {
  readonly session: Session;
  /** Sends requests as the human. */
  readonly human: WireroomDashboard;
  /** Returns a client that sends requests as the active handle. Throws a `Failure` if none is chosen. */
  agent(): Promise<Wireroom>;
  /** Drops the client that `agent` returned, because the active handle or its key has changed. */
  resetAgent(): void;
  /** Slugs without `@` by the ids of the human's handles, as they were last loaded. */
  readonly handles: Map<string, string>;
}

export interface Column<Item> {
  readonly title: string;
  /** @param now milliseconds since 1970 */
  text(item: Item, sources: Sources, now: number): string;
  readonly style?: Style | ((item: Item) => Style | undefined);
  /** True for a column that shrinks down to `minWidth` if the table is too wide. */
  readonly flexible?: boolean;
  readonly minWidth?: number;
  /**
   * In a narrow window, columns with the highest rank are left out first, and columns without one never.
   */
  readonly rank?: number;
}

/** Names and values. Those without a value are left out. */
export type Details = readonly (readonly [name: string, value: string | undefined])[];

export interface Action<Item> {
  readonly key: string;
  /** One or two words. */
  readonly label: string;
  /** Further words for the help. */
  readonly help?: string;
  /** False for an action that needs no selected row. */
  readonly needsRow?: false;
  /** Returns why the action does not apply to this row. */
  refusal?(item: Item): string | undefined;
  /** Asks before the action runs. */
  question?(item: Item, sources: Sources): { title: string; lines: readonly string[]; yes: string };
  /** Opens a form before the action runs. If the action fails, the form stays open and shows why. */
  form?(item: Item, sources: Sources): Omit<Form, "focus"> & { focus?: number };
  /** Status line while an action without a form runs. */
  readonly busy?: string;
  /**
   * @param values the texts of the form's fields
   * @returns the message on success; undefined if the action shows its result itself
   */
  run(
    context: ActionContext,
    item: Item,
    values: Readonly<Record<string, string>>,
  ): Promise<string | undefined>;
  /** Ids of the panes to load again after the action. */
  readonly reloads: readonly string[];
  /** True if the row moves away, so that the selection moves to the next row. */
  readonly movesRow?: true;
}

export interface ActionContext {
  readonly sources: Sources;
  readonly shell: Shell;
  /** Loads panes again. */
  reload(ids: readonly string[]): void;
}

export interface Pane<Item> {
  readonly id: string;
  readonly title: string;
  /** Text of a pane without rows. */
  readonly emptyText: string;
  /** True if `load` needs the active handle. If the handle cannot act, only this pane shows an error. */
  readonly needsAgent?: true;
  load(sources: Sources, signal: AbortSignal): Promise<readonly Item[]>;
  /** Identifies a row, so that it stays selected when other rows are added or removed. */
  idOf(item: Item): string;
  readonly columns: readonly Column<Item>[];
  /** Details that are shown below the table. A row of a pane without them has its columns as details. */
  details?(item: Item, now: number): Details;
  /** A text below the details. */
  text?(item: Item): string;
  /** Whether the menu counts a row, or false for a pane without a count. Default: it counts all rows. */
  readonly isCounted?: false | ((item: Item) => boolean);
  readonly actions: readonly Action<Item>[];
}

/** A pane with any type of row, for lists of different panes. */
// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the pane that loaded them
export type AnyPane = Pane<any>;

/** Returns a column with the age of an RFC 3339 time. @param absent text if there is no time */
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
