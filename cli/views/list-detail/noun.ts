/**
 * The declaration of a noun, such as the handles or the inbox: how its rows are loaded, their columns, the
 * details of a row, and the actions on it. `list-detail.ts` keeps the state, and `view.tsx` renders it.
 */
import { relative } from "../../output/units.js";
import type { Form } from "../frame/form.js";
import type { Question, Shell } from "../frame/shell.js";
import { type Line, type Style, THEME } from "../styled-text/spans.js";

export interface Column<Item> {
  readonly title: string;
  /** @param now milliseconds since 1970 */
  text(item: Item, now: number): string | Line;
  /** Style of a text. */
  readonly style?: Style | ((item: Item) => Style | undefined);
  /** Whether the column shrinks to `minWidth` if the table is too wide. */
  readonly flexible?: boolean;
  readonly minWidth?: number;
  /** A narrow window drops the columns with the highest rank first, and never a column without a rank. */
  readonly rank?: number;
}

/** Pairs without a value are not shown. */
export type Fields = readonly (readonly [name: string, value: string | undefined])[];

/** The content of the detail pane. */
export interface Detail {
  /** Identifies the content. While it stays the same, the pane keeps its position. */
  readonly id: string;
  readonly title: string;
  /** Facts for the pane's border, such as `3 wires`. */
  readonly notes?: readonly string[];
  /** A blank line separates two parts. */
  readonly parts: readonly (readonly Line[])[];
  /** True if the user can select a part. Each line then begins with two spaces for the selection bar. */
  readonly isSelectable?: true;
}

export interface DetailOptions {
  /** Width of a line in columns. */
  readonly width: number;
  /** Current time in milliseconds since 1970. */
  readonly now: number;
}

/** The view as its nouns see it. */
export interface View {
  readonly shell: Shell;
  /** The rows that match the filter. */
  readonly shown: readonly unknown[];
  /** Index of the selected part of the detail pane. */
  readonly part: number;
  /** Loads all nouns again, as happens after each action. Resolves when the current noun is loaded. */
  reload(): Promise<void>;
  /** Selects a row of the current noun, which may not be loaded yet. */
  select(id: string): void;
  /** Draws the detail pane again, and selects one of its parts. */
  showDetail(part?: number): void;
  focus(focus: "menu" | "list" | "detail"): void;
}

type ActionQuestion = Omit<Question, "run">;

export interface Action<Subject> {
  readonly key: string | readonly string[];
  /** Key name on the foot line and in the help. Default: the first key. */
  readonly shown?: string;
  /** One or two words. */
  readonly label: string | ((subject: Subject) => string);
  readonly help?: string;
  readonly only?: "help";
  /** False if the action does not need a selected row. */
  readonly needsRow?: false;
  /** Returns why the action does not apply. Returns undefined if it applies. */
  refusal?(subject: Subject): string | undefined;
  /** Asks for confirmation before the action runs. Returns undefined if no question is necessary. */
  question?(subject: Subject): ActionQuestion | Promise<ActionQuestion> | undefined;
  /** Opens a form before the action runs. If the action fails, the form stays open and shows the error. */
  form?(subject: Subject): Form;
  /** Names the draft that is kept if the form is closed without sending. */
  draft?(subject: Subject): string;
  readonly busy?: string;
  /**
   * @param values the values of the form's fields
   * @returns a success message, or undefined if the action shows its result itself
   */
  run(
    subject: Subject,
    view: View,
    values: Readonly<Record<string, string>>,
  ): Promise<string | undefined> | string | undefined;
  /** True if the selection moves to the next row after the action. */
  readonly movesOn?: true;
}

/** @template Subject what the actions need. Default: the selected row. */
export interface Noun<Item, Subject = Item> {
  readonly id: string;
  readonly title: string;
  readonly emptyText: string;
  /** True if `load` acts as the active handle. A credential error then affects only this noun. */
  readonly needsAgent?: true;
  /** @param mayWait whether the request may be a long poll */
  load(signal: AbortSignal, mayWait: boolean): Promise<readonly Item[]>;
  /** Delay between two loads while the noun is shown. */
  readonly intervalMs?: number;
  idOf(item: Item): string;
  readonly columns: readonly Column<Item>[];
  /** Fields of the detail pane below the list. By default, the pane shows the row's columns on Enter. */
  fields?(item: Item, now: number): Fields;
  /** Replaces `fields`: the content of a detail pane beside the list. */
  detail?(item: Item | undefined, options: DetailOptions): Detail | undefined;
  readonly detailTitle?: string;
  /** Facts for the list's border. */
  note?(): string;
  /** Decides whether the menu counts a row. False hides the noun's count. By default, all rows count. */
  readonly isCounted?: false | ((item: Item) => boolean);
  subjectOf?(item: Item | undefined, part: number | undefined): Subject;
  readonly actions: readonly Action<Subject>[];
  /** Called once, before the first load. */
  open?(view: View): void;
  /** Called when another row is selected. */
  selected?(item: Item | undefined): void;
  /** Loads the detail pane again. Called when the daemon answers again, and on request. */
  reloadDetail?(item: Item | undefined): void;
  close?(): void;
}

/** A noun with rows of any type. */
// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the noun that loaded them
export type AnyNoun = Noun<any, any>;

export function timeColumn<Item>(
  title: string,
  time: (item: Item) => string | null,
  rank: number,
  absent = "-",
): Column<Item> {
  return { title, text: (item, now) => ageOf(time(item), now, absent), style: THEME.faint, rank };
}

export function ageOf(time: string | null, now: number, absent = "-"): string {
  return time === null ? absent : relative(time, now);
}
