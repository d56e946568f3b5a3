/** What a pane of the dashboard is: rows that are fetched, how they look, and what can be done with them. */
import type { Wireroom, WireroomDashboard } from "../../../sdk/src/index.js";
import type { Session } from "../../session.js";
import type { Question } from "../kit/controller.js";
import type { Form } from "../kit/form.js";
import type { Line } from "../kit/spans.js";
import type { TableColumn } from "../kit/table.js";

/** What a pane may ask and use. */
export interface Sources {
  readonly session: Session;
  /** The human. */
  readonly human: WireroomDashboard;
  /** The handle that acts. Throws `NO_CREDENTIALS` where there is no key. */
  agent(): Promise<Wireroom>;
  /** Forgets who acts: another handle does from now on. */
  changeAgent(): void;
  /** Slugs of the human's handles by id, bare, as they were last read. */
  readonly handles: Map<string, string>;
}

/** A secret that is shown this once. */
export interface Secret {
  readonly title: string;
  readonly value: string;
  readonly lines: readonly string[];
  /** What it may be kept for; gives what to say then. */
  keep(): Promise<string>;
}

/** What an action may do with the view. */
export interface Desk {
  readonly sources: Sources;
  ask(question: Question): void;
  /** Opens a form. `send` does the work; what it throws is shown in the form. */
  fill(form: Form, send: (form: Form) => Promise<void>): void;
  /** Does work beside the keys; its failure goes to the status line. */
  attempt(busy: string, work: () => Promise<void>): void;
  say(text: string, tone?: "good" | "bad" | "plain"): void;
  reveal(secret: Secret): void;
  /** Gives what selects the row that now follows the selected one, for when that one is settled and moves away. */
  onward(): () => void;
  /** Fetches these panes again. */
  reload(...ids: string[]): void;
}

export interface Action<Item> {
  readonly key: string;
  readonly does: string;
  readonly more?: string;
  /** Left out for an action that needs no row. */
  readonly needsRow?: boolean;
  run(desk: Desk, item: Item): void;
}

export interface Pane<Item> {
  readonly id: string;
  readonly title: string;
  load(sources: Sources, signal: AbortSignal): Promise<readonly Item[]>;
  /** What a row is known by, so that the selection stays with it when others come and go. */
  idOf(item: Item): string;
  /** @param now milliseconds since 1970 */
  columns(sources: Sources, now: number): readonly TableColumn<Item>[];
  /** Whether the menu counts a row; all of them where it is left out. */
  counts?(item: Item): boolean;
  /** Said where there are no rows. */
  readonly none: string;
  /** More about a row, below the table. @param width columns of a line */
  detail?(item: Item, sources: Sources, now: number, width: number): readonly Line[];
  readonly actions: readonly Action<Item>[];
}

/** A pane among others: each knows its own items alone. */
// biome-ignore lint/suspicious/noExplicitAny: items only ever go back to the pane that loaded them
export type AnyPane = Pane<any>;
