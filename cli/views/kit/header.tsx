/** The first line of a view: what it is, whose it is, and whether the daemon answers. */
import type { ReactNode } from "react";
import { duration } from "../../output/units.js";
import type { CommonState } from "./controller.js";
import { LinesView } from "./line.js";
import { justified, type Line, span } from "./spans.js";
import { THEME } from "./theme.js";

export interface HeaderProps {
  /** Name of the view. */
  view: string;
  who: string;
  state: CommonState;
  now: number;
}

export function Header({ view, who, state, now }: HeaderProps): ReactNode {
  const name: Line = [
    span(" wireroom ", { ...THEME.accent, bold: true }),
    span(view, THEME.faint),
    span(`  ${who}`, { ...THEME.own, bold: true }),
  ];
  return <LinesView lines={[justified(name, connection(state, now), state.size.columns)]} />;
}

function connection({ away, hasRead }: CommonState, now: number): Line {
  if (away) {
    const time = duration(Math.max(1, (now - away.since) / 1_000));
    return [span(`○ no answer from the daemon for ${time}, trying again `, THEME.bad)];
  }
  return hasRead ? [span("● live ", THEME.good)] : [span("○ connecting … ", THEME.warning)];
}
