/** The last two lines of a view: what has happened, and which keys there are. */
import type { ReactNode } from "react";
import type { CommonState } from "./controller.js";
import { Dialog } from "./dialog.js";
import { LinesView } from "./line.js";
import { fitted, justified, type Line, type Span, span, widthOf } from "./spans.js";
import { THEME } from "./theme.js";

/** A key and what it does; `more` is said in the help alone. */
export interface KeyHelp {
  keys: string;
  does: string;
  more?: string;
  /** Not on the line at the foot, only in the help. */
  rare?: boolean;
}

const TURNS = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const TONES = { good: THEME.good, bad: THEME.bad, plain: {} } as const;
const SIGNS = { good: "✓ ", bad: "✗ ", plain: "" } as const;

/** `aside` stands at the right of the status line: the connection, a position. */
export function Foot(props: {
  state: CommonState;
  now: number;
  keys: readonly KeyHelp[];
  aside: Line;
}): ReactNode {
  const { state, now, keys, aside } = props;
  const { columns } = state.size;
  const status = [span(" "), ...statusOf(state, now)];
  return (
    <LinesView
      lines={[
        justified(status, [...aside, span(" ")], columns),
        fitted([span(" "), ...keyLine(keys, columns - 2)], columns),
      ]}
    />
  );
}

function statusOf({ status, busy }: CommonState, now: number): Span[] {
  if (busy !== undefined) {
    const turn = TURNS[Math.floor(now / 100) % TURNS.length]!;
    return [span(`${turn} `, THEME.accent), span(`${busy} …`, THEME.faint)];
  }
  if (!status) return [];
  return [span(SIGNS[status.tone] + status.text, TONES[status.tone])];
}

/** As many keys as there is room for; help and leaving are always among them. */
function keyLine(keys: readonly KeyHelp[], width: number): Span[] {
  const always = [
    { keys: "?", does: "help" },
    { keys: "q", does: "leave" },
  ];
  const line: Span[] = [];
  const end = always.flatMap(spansOf);
  for (const key of keys.filter(({ rare }) => !rare)) {
    const next = spansOf(key);
    if (widthOf([...line, ...next, ...end]) > width) break;
    line.push(...next);
  }
  return [...line, ...end];
}

function spansOf({ keys, does }: KeyHelp): Span[] {
  return [span(keys, THEME.key), span(` ${does}   `, THEME.faint)];
}

/** Every key, over the view. */
export function HelpView({ state, keys }: { state: CommonState; keys: readonly KeyHelp[] }): ReactNode {
  const all = [
    ...keys,
    { keys: "?", does: "this help" },
    { keys: "q", does: "leave" },
    { keys: "Ctrl-C", does: "leave at once, also from a form" },
  ];
  const longest = Math.max(...all.map(({ keys: names }) => names.length));
  const lines = all.map((key): Line => {
    const { keys: names, does, more } = key as KeyHelp;
    return [
      span(names.padEnd(longest + 2), THEME.key),
      span(does),
      span(more ? `: ${more}` : "", THEME.faint),
    ];
  });
  return (
    <Dialog
      size={state.size}
      title="Keys"
      lines={[...lines, [], [span("any key closes this", THEME.faint)]]}
    />
  );
}
