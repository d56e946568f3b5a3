/** Runs a view on the full screen of the terminal. */
import { render, useStdout } from "ink";
import { type ReactNode, useLayoutEffect, useState, useSyncExternalStore } from "react";
import { Failure } from "../../failure.js";
import { wantsColour } from "../../output/colours.js";
import type { Session } from "../../session.js";
import { Terminal } from "../terminal/terminal.js";
import { Shell } from "./shell.js";
import { drawnSize, type ViewProps } from "./view-frame.js";

/** Maximum frames per second. Ink draws the first change at once, and merges the changes that follow. */
const MAX_FPS = 30;

/** Throws `NO_TERMINAL`, with the commands in `instead` as hints, if input or output is not a terminal. */
export function checkTerminal({ io, output }: Session, name: string, instead: string[]): void {
  const { stdin, stdout, env } = io;
  if (env.TERM === "dumb")
    throw new Failure("NO_TERMINAL", `${name} needs a terminal with a cursor, but TERM is dumb`, instead);
  if (stdin.isTTY && stdout.isTTY && !output.json) return;
  throw new Failure("NO_TERMINAL", `${name} needs a terminal for its keys and its screen`, instead);
}

/** Shows a view until the user leaves it, then restores the terminal. Rejects if the view failed. */
export async function runFullScreen(
  { io, flags }: Session,
  view: (props: ViewProps) => ReactNode,
): Promise<void> {
  const { stdin, stdout, env } = io;
  const colour = wantsColour({ isTerminal: true, flag: flags.color, env });
  const terminal = new Terminal({ stdin, stdout }, colour, (key) => shell.press(key));
  let end: (error?: Error) => void = () => {};
  const ended = new Promise<void>((resolve, reject) => {
    end = (error) => (error ? reject(error) : resolve());
  });
  const shell = new Shell(end, () => drawnSize(terminal.getSize()));
  terminal.open();
  try {
    const app = render(<Screen {...{ terminal, shell, view }} />, {
      stdin,
      stdout: terminal.output as unknown as NodeJS.WriteStream,
      incrementalRendering: true,
      exitOnCtrlC: false,
      patchConsole: false,
      maxFps: MAX_FPS,
    });
    // `waitUntilExit` rejects if a component throws an error.
    await Promise.race([ended, app.waitUntilExit()]).finally(() => app.unmount());
  } finally {
    shell.stop();
    terminal.close();
  }
}

interface ScreenProps {
  terminal: Terminal;
  shell: Shell;
  view: (props: ViewProps) => ReactNode;
}

function Screen({ terminal, shell, view: View }: ScreenProps): ReactNode {
  const { write } = useStdout();
  const size = useSyncExternalStore(terminal.subscribe, terminal.getSize);
  const [firstSize] = useState(size);
  useLayoutEffect(() => {
    if (size === firstSize) return;
    // Ink rewrites only changed lines, but a terminal may move all lines when its window is resized.
    terminal.output.redraw(write);
  }, [size, firstSize, terminal, write]);
  return <View shell={shell} size={size} />;
}
