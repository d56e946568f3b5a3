/**
 * Renders the dashboard: the menu on the left and the current pane on the right. A narrow window shows only
 * one of them.
 */
import type { ReactNode } from "react";
import { useState } from "react";
import { plain } from "../../output/colours.js";
import { explain } from "../../output/errors.js";
import { Store, useStore } from "../kit/store.js";
import { useShell, useWindowSize, ViewFrame } from "../kit/view-frame.js";
import { dashboardBindings } from "./bindings.js";
import { DashboardCommands } from "./commands.js";
import { ContentPane } from "./content-pane.js";
import { layoutOf } from "./layout.js";
import { MenuPane } from "./menu-pane.js";
import type { Sources } from "./pane-definition.js";
import { usePaneLoader } from "./pane-loader.js";
import { currentPane, type DashboardAction, type DashboardState, INITIAL_STATE, reduce } from "./state.js";

export interface DashboardViewProps {
  sources: Sources;
  /** E-mail address of the human. */
  email: string;
}

export function DashboardView({ sources, email }: DashboardViewProps): ReactNode {
  const commands = useDashboard(sources);
  const state = useStore(commands.store);
  const layout = layoutOf(useWindowSize(), currentPane(state).details !== undefined);
  return (
    <ViewFrame name="dashboard" who={email} bindings={dashboardBindings(commands, layout.isNarrow)}>
      {(!layout.isNarrow || state.focus === "menu") && <MenuPane {...{ state, layout }} />}
      {(!layout.isNarrow || state.focus === "content") && <ContentPane {...{ state, sources, layout }} />}
    </ViewFrame>
  );
}

/** Creates the store, the loader and the commands of the dashboard, once per view. */
function useDashboard(sources: Sources): DashboardCommands {
  const shell = useShell();
  const [store] = useState(() => new Store<DashboardState, DashboardAction>(reduce, INITIAL_STATE));
  const loader = usePaneLoader({
    sources,
    getCurrentPane: () => currentPane(store.getState()),
    events: {
      loaded: (pane, items) => store.dispatch({ type: "loaded", pane, items }),
      failed: (pane, error) => store.dispatch({ type: "failed", pane, failure: explain(error, plain) }),
      reachable: () => shell.connected(),
      unreachable: () => shell.disconnected(),
      ended: (error) => shell.leave(error as Error),
    },
  });
  const [commands] = useState(() => new DashboardCommands({ sources, store, shell, loader }));
  return commands;
}
