/** Renders a view's header, panes and foot, and the open dialog or form. Receives all key presses. */
import { Box, Text } from "ink";
import { createContext, type ReactNode, useContext } from "react";
import { wrapped } from "../../output/text.js";
import { type Line, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import { useKeypress } from "../terminal/keypress.js";
import type { Size } from "../terminal/size.js";
import { DialogView, FormView } from "./dialog.js";
import { Foot } from "./foot.js";
import { Header } from "./header.js";
import type { KeyBinding } from "./key-bindings.js";
import { SMALLEST } from "./layout.js";
import type { Shell } from "./shell.js";
import { useStore } from "./store.js";

export const ShellContext = createContext<Shell | undefined>(undefined);
export const WindowSizeContext = createContext<Size>({ columns: 80, rows: 24 });

export function useShell(): Shell {
  const shell = useContext(ShellContext);
  if (!shell) throw new Error("useShell needs a ShellContext");
  return shell;
}

/** Returns the window size, but at least the smallest size that views support. */
export function useWindowSize(): Size {
  return atLeastSmallest(useContext(WindowSizeContext));
}

export function atLeastSmallest({ columns, rows }: Size): Size {
  return { columns: Math.max(columns, SMALLEST.columns), rows: Math.max(rows, SMALLEST.rows) };
}

export interface ViewFrameProps {
  /** Name of the view, such as `inbox`. */
  name: string;
  /** The user: a handle or an e-mail address. */
  who: string;
  bindings: readonly KeyBinding[];
  children?: ReactNode;
}

export function ViewFrame({ name, who, bindings, children }: ViewFrameProps): ReactNode {
  const shell = useShell();
  const state = useStore(shell.store);
  const actualSize = useContext(WindowSizeContext);
  const size = useWindowSize();
  const { overlay } = state;
  const isTooSmall = actualSize.columns < SMALLEST.columns || actualSize.rows < SMALLEST.rows;
  const leave: KeyBinding = { keys: ["q"], shown: "q", label: "leave", run: () => shell.leave() };
  const help: KeyBinding = {
    keys: ["?"],
    shown: "?",
    label: "help",
    run: () => openHelp(shell, [...bindings, leave]),
  };
  const all = isTooSmall ? [leave] : [...bindings, help, leave];
  useKeypress((key) => shell.press(key, all));
  if (isTooSmall) return <TooSmall />;
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows - 1}>
      <Header name={name} who={who} state={state} columns={size.columns} />
      <Box flexGrow={1}>{children}</Box>
      <Foot
        state={state}
        columns={size.columns}
        bindings={overlay ? [] : bindings}
        always={overlay ? [LEAVE_AT_ONCE] : [help, leave]}
      />
      {overlay?.kind === "form" && <FormView form={overlay.form} bindings={shell.bindings([])} size={size} />}
      {overlay?.kind === "dialog" && <DialogView dialog={overlay.dialog} top={overlay.top} size={size} />}
    </Box>
  );
}

/** Only lists Ctrl-C in the foot line and the help. `Shell.press` handles it before all bindings. */
const LEAVE_AT_ONCE: KeyBinding = {
  keys: ["ctrl-c"],
  shown: "Ctrl-C",
  label: "leave at once",
  help: "also from a form",
  run() {},
};

function TooSmall(): ReactNode {
  return (
    <Text>
      {`This window is too small:\nmake it ${SMALLEST.columns} × ${SMALLEST.rows} at least.\n(q or Ctrl-C leaves)`}
    </Text>
  );
}

/** Opens the help dialog, which lists all of the view's keys. */
function openHelp(shell: Shell, bindings: readonly KeyBinding[]): void {
  const listed = [...bindings, LEAVE_AT_ONCE].filter(
    ({ shown, label, isInHelp = true }) => shown && label && isInHelp,
  );
  const indent = Math.max(...listed.map(({ shown = "" }) => shown.length)) + 2;
  shell.open({
    title: "Keys",
    lines: (width) => listed.flatMap((binding) => helpLines(binding, indent, width)),
    bindings: [{ keys: ["any"], shown: "any key", label: "closes this", run: () => shell.closeOverlay() }],
  });
}

/** Returns a binding's help lines: its keys on the left, and the wrapped explanation on the right. */
function helpLines({ shown = "", label = "", help }: KeyBinding, indent: number, width: number): Line[] {
  const text = help === undefined ? label : `${label}: ${help}`;
  return wrapped(text, width - indent).map((line, i) => [
    span((i === 0 ? shown : "").padEnd(indent), THEME.key),
    span(line),
  ]);
}
