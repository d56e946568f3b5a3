/** Renders a view's first line: its name, the user, and whether the daemon answers. */
import type { ReactNode } from "react";
import { duration } from "../../output/units.js";
import { LineText } from "../styled-text/line.js";
import { justified, type Line, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import type { ShellState } from "./shell.js";
import { useSecondsSince } from "./use-now.js";

export interface HeaderProps {
  /** Name of the view, such as `inbox`. */
  name: string;
  who: string;
  state: ShellState;
  columns: number;
}

export function Header({ name, who, state, columns }: HeaderProps): ReactNode {
  const seconds = useSecondsSince(state.unreachableSince);
  const left: Line = [
    span(" wireroom ", { ...THEME.accent, bold: true }),
    span(name, THEME.faint),
    span(`  ${who}`, { ...THEME.own, bold: true }),
  ];
  return <LineText line={justified(left, connection(state, seconds), columns)} />;
}

function connection({ isConnected }: ShellState, seconds: number | undefined): Line {
  if (seconds !== undefined)
    return [
      span(`○ no answer from the daemon for ${duration(Math.max(1, seconds))}, trying again `, THEME.bad),
    ];
  return isConnected ? [span("● live ", THEME.good)] : [span("○ connecting … ", THEME.warning)];
}
