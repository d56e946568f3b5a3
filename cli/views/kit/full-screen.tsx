/** A view on the whole terminal, from its controller's first state to its end. */
import { renderToString } from "ink";
import type { ReactNode } from "react";
import { now } from "../../clock.js";
import { Failure } from "../../failure.js";
import type { Session } from "../../session.js";
import type { CommonState, Controller, Size } from "./controller.js";
import { Screen } from "./screen.js";

/** What a view is given. */
export interface ViewProps<State> {
  state: State;
  /** Milliseconds since 1970. */
  now: number;
}

/** Least size with which a view can be drawn. */
const LEAST: Size = { columns: 40, rows: 12 };
/** Milliseconds between frames while something turns, and while only relative times change. */
const TICK = { busy: 100, idle: 1_000 };

/** Refuses to start a view without a terminal; `instead` says what to use there. */
export function checkTerminal({ surroundings, output }: Session, name: string, instead: string[]): void {
  const { stdin, stdout } = surroundings;
  if (stdin.isTTY && stdout.isTTY && !output.json) return;
  throw new Failure("NO_TERMINAL", `${name} needs a terminal for its keys and its screen`, instead);
}

/** Shows a view until the person leaves. Rejects with what ended it otherwise, the terminal restored. */
export async function showFullScreen<State extends CommonState>(
  session: Session,
  controller: (size: Size) => Controller<State>,
  view: (props: ViewProps<State>) => ReactNode,
): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  let drawing: NodeJS.Immediate | undefined;
  const screen: Screen = new Screen(
    session.surroundings,
    { key: (key) => desk.press(key), resized: (size) => desk.resize(size) },
    session.flags.color,
  );
  const desk = controller(screen.size);
  const draw = () => {
    drawing = undefined;
    clearTimeout(timer);
    screen.paint(frameOf(view, desk.state));
    timer = setTimeout(draw, desk.state.busy === undefined ? TICK.idle : TICK.busy);
  };
  // Many changes at once make one frame.
  const unsubscribe = desk.onChange(() => {
    drawing ??= setImmediate(draw);
  });
  screen.open();
  try {
    draw();
    desk.start();
    await desk.ended;
  } finally {
    // What is still under way may change the state, but nobody looks any more.
    unsubscribe();
    clearTimeout(timer);
    clearImmediate(drawing);
    screen.close();
    desk.stop();
  }
}

function frameOf<State extends CommonState>(
  view: (props: ViewProps<State>) => ReactNode,
  state: State,
): string {
  const { columns, rows } = state.size;
  if (columns < LEAST.columns || rows < LEAST.rows)
    return `This window is too small:\nmake it ${LEAST.columns} × ${LEAST.rows} at least.\n(q or Ctrl-C leaves)`;
  return renderToString(view({ state, now: now() }), { columns });
}
