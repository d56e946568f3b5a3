/**
 * The definition of a dashboard pane: how its rows are loaded, how they are displayed, and which actions they
 * have.
 */
import type { Wireroom, WireroomDashboard } from "../../../sdk/src/index.js";
import type { Session } from "../../session.js";
import type { Shell } from "../kit/shell.js";
import type { Line } from "../kit/text/spans.js";
import type { TableColumn } from "./table.js";

/** The session, and the clients with which panes load their rows. */
export interface Sources {
  readonly session: Session;
  /** Sends requests as the human. */
  readonly human: WireroomDashboard;
  /** Returns a client that sends requests as the active handle. Throws a `Failure` if none is chosen. */
  agent(): Promise<Wireroom>;
  /** Drops the client that `agent` returned, because the active handle or its key has changed. */
  resetAgent(): void;
  /** Maps the ids of the human's handles to their slugs without `@`, as they were last loaded. */
  readonly handles: Map<string, string>;
}

/** A new API key. The service returns it only once. */
export interface Secret {
  readonly title: string;
  readonly value: string;
  readonly lines: readonly string[];
  /** Saves the key in the profile. Returns the message for the human. */
  save(): Promise<string>;
}

/** The objects that the actions of a pane can use. */
export interface ActionContext {
  readonly sources: Sources;
  readonly shell: Shell;
  showSecret(secret: Secret): void;
  /**
   * Remembers the row after `item`. Returns a function that selects this row, unless another row has been
   * selected meanwhile.
   */
  prepareNextSelection(item: unknown): () => void;
  /** Loads the panes with these ids again. */
  reload(...ids: string[]): void;
}

export interface PaneAction<Item> {
  readonly key: string;
  /** Short name of the action, one or two words. */
  readonly label: string;
  /** Further words for the help. */
  readonly help?: string;
  /** Whether the action can run only if a row is selected. */
  readonly needsRow: boolean;
  /**
   * Returns the reason why the action does not apply to this row. Returns undefined if the action applies.
   */
  refusal?(item: Item): string | undefined;
  run(context: ActionContext, item: Item): void;
}

export interface PaneDefinition<Item> {
  readonly id: string;
  readonly title: string;
  /**
   * True if `load` sends requests as the active handle. If the handle has no valid key, only this pane shows
   * an error.
   */
  readonly needsAgent?: boolean;
  load(sources: Sources, signal: AbortSignal): Promise<readonly Item[]>;
  /** Identifies a row, so that it stays selected when other rows are added or removed. */
  idOf(item: Item): string;
  /** Returns the columns of the table. The parameter `now` is in milliseconds since 1970. */
  columns(sources: Sources, now: number): readonly TableColumn<Item>[];
  /** Two lines that represent a row in a window that is too narrow for the table. */
  card(item: Item, sources: Sources, now: number): readonly [Line, Line];
  /** Returns the RFC 3339 times of a row that are displayed as relative times, such as `5 min ago`. */
  times?(item: Item): readonly (string | null)[];
  /**
   * Returns whether the menu counts this row. If a pane does not define this function, the menu counts all
   * its rows.
   */
  isCounted?(item: Item): boolean;
  /** The text of a pane without rows. */
  readonly emptyText: string;
  /** Returns all details of a row as lines of at most `width` columns. */
  details?(item: Item, sources: Sources, now: number, width: number): readonly Line[];
  readonly actions: readonly PaneAction<Item>[];
}

/** The type of a pane with any type of row, for lists of different panes. */
// biome-ignore lint/suspicious/noExplicitAny: rows are only passed back to the pane that loaded them
export type AnyPane = PaneDefinition<any>;
