/** What the dashboard's view shows. */
import type { Explanation } from "../../output/errors.js";
import { type CommonState, commonState, type Size } from "../kit/controller.js";
import type { Secret, Sources } from "./pane.js";
import { PANES } from "./panes.js";

/** What a pane has fetched. */
export interface PaneData {
  readonly items: readonly unknown[];
  /** Index of the row that actions are about. */
  readonly selected: number;
  /** First row that is on the screen. */
  readonly first: number;
  readonly isLoaded: boolean;
  /** Why there is nothing newer. */
  readonly failure: Explanation | undefined;
}

export interface DashboardState extends CommonState {
  readonly sources: Sources;
  readonly email: string;
  /** Index of the pane that is shown. */
  readonly current: number;
  readonly focus: "menu" | "content";
  readonly data: Readonly<Record<string, PaneData>>;
  /** Whose details were moved, and to which line. */
  readonly detail: { readonly id: string; readonly top: number };
  /** A secret on the screen, and whether it has been kept. */
  readonly secret: { readonly secret: Secret; readonly note: string | undefined } | undefined;
}

const NOTHING: PaneData = { items: [], selected: 0, first: 0, isLoaded: false, failure: undefined };

export function initialState(size: Size, sources: Sources, email: string): DashboardState {
  return {
    ...commonState(size),
    sources,
    email,
    current: 1,
    focus: "content",
    data: {},
    detail: { id: "", top: 0 },
    secret: undefined,
  };
}

export function currentPane({ current }: DashboardState) {
  return PANES[current]!;
}

export function dataOf({ data }: DashboardState, id: string): PaneData {
  return data[id] ?? NOTHING;
}
