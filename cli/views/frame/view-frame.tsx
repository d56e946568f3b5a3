/** Renders a view: the header, the panes, the foot, and the open dialog or form. */
import { Box, Text } from "ink";
import { type ReactNode, useLayoutEffect } from "react";
import { monotonicMs } from "../../clock.js";
import { wrapped } from "../../output/text.js";
import { duration } from "../../output/units.js";
import { Lines, LineText } from "../styled-text/lines.js";
import { justified, type Line, span, THEME } from "../styled-text/spans.js";
import type { Size } from "../terminal/terminal.js";
import { DialogView } from "./dialog.js";
import { FormView } from "./form.js";
import { useInterval, useStore } from "./hooks.js";
import { activeBindings, type KeyBinding, keyLine, shownKey } from "./key-bindings.js";
import { SMALLEST } from "./pane.js";
import type { Shell, ShellState } from "./shell.js";

export interface ViewProps {
  shell: Shell;
  /** The size of the window, which may be smaller than what is drawn. */
  size: Size;
}

export function drawnSize({ columns, rows }: Size): Size {
  return { columns: Math.max(columns, SMALLEST.columns), rows: Math.max(rows, SMALLEST.rows) };
}

export interface ViewFrameProps extends ViewProps {
  /** Name of the view, such as `inbox`. */
  name: string;
  /** The user: a handle or an e-mail address. */
  who: string;
  /** Called for each key, because the bindings depend on the state. */
  bindings: () => readonly KeyBinding[];
  children?: ReactNode;
}

export function ViewFrame({
  shell,
  size: windowSize,
  name,
  who,
  bindings,
  children,
}: ViewFrameProps): ReactNode {
  const state = useStore(shell.store);
  const { overlay } = state;
  const size = drawnSize(windowSize);
  const isTooSmall = size.columns > windowSize.columns || size.rows > windowSize.rows;
  const leave: KeyBinding = { keys: ["q"], label: "leave", run: () => shell.leave() };
  const help: KeyBinding = { keys: ["?"], label: "help", run: () => openHelp(shell, [...bindings(), leave]) };
  useLayoutEffect(() => {
    shell.viewBindings = () => (isTooSmall ? [leave] : [...bindings(), help, leave]);
  });
  if (isTooSmall) return <TooSmall />;
  const always = overlay ? [LEAVE_AT_ONCE] : [help, leave];
  return (
    <Box flexDirection="column" width={size.columns} height={size.rows - 1}>
      <Header {...{ name, who, state }} columns={size.columns} />
      <Box flexGrow={1}>{children}</Box>
      <Box flexDirection="column" flexShrink={0} height={2} paddingX={1}>
        {state.busy === undefined ? <Lines lines={[statusLine(state)]} /> : <Busy text={state.busy} />}
        <Lines lines={[footLine(overlay ? [] : bindings(), always, size.columns - 2)]} />
      </Box>
      {overlay?.kind === "form" && (
        <FormView form={overlay.form} bindings={shell.overlayBindings() ?? []} size={size} />
      )}
      {overlay?.kind === "dialog" && <DialogView dialog={overlay.dialog} top={overlay.top} size={size} />}
    </Box>
  );
}

/** Names Ctrl-C on the foot line and in the help. It runs nothing, because `Shell.press` handles the key. */
const LEAVE_AT_ONCE: KeyBinding = {
  keys: ["ctrl-c"],
  label: "leave at once",
  help: "also from a form",
  run() {},
};

function TooSmall(): ReactNode {
  const { columns, rows } = SMALLEST;
  return (
    <Text>{`This window is too small:\nmake it ${columns} × ${rows} at least.\n(q or Ctrl-C leaves)`}</Text>
  );
}

function openHelp(shell: Shell, bindings: readonly KeyBinding[]): void {
  const listed = [...bindings, LEAVE_AT_ONCE].filter(({ label }) => label);
  const indent = Math.max(...listed.map((binding) => shownKey(binding).length)) + 2;
  shell.open({
    title: "Keys",
    lines: (width) => listed.flatMap((binding) => helpLines(binding, indent, width)),
    bindings: [{ keys: ["any"], label: "closes this", run: () => shell.closeOverlay() }],
  });
}

function helpLines(binding: KeyBinding, indent: number, width: number): Line[] {
  const { label = "", help } = binding;
  const text = help === undefined ? label : `${label}: ${help}`;
  return wrapped(text, width - indent).map((line, i) => [
    span((i === 0 ? shownKey(binding) : "").padEnd(indent), THEME.key),
    span(line),
  ]);
}

interface HeaderProps {
  name: string;
  who: string;
  state: ShellState;
  columns: number;
}

function Header({ name, who, state, columns }: HeaderProps): ReactNode {
  const left: Line = [
    span(" wireroom ", { ...THEME.accent, bold: true }),
    span(name, THEME.faint),
    span(`  ${who}`, { ...THEME.own, bold: true }),
  ];
  useInterval(1_000);
  return <LineText line={justified(left, [connection(state)], columns)} />;
}

function connection({ isConnected, unreachableSince }: ShellState) {
  if (unreachableSince !== undefined) {
    const seconds = Math.max(1, (monotonicMs() - unreachableSince) / 1_000);
    return span(`○ no answer from the daemon for ${duration(seconds)}, trying again `, THEME.bad);
  }
  return isConnected ? span("● live ", THEME.good) : span("○ connecting … ", THEME.warning);
}

const TONES = { good: THEME.good, bad: THEME.bad, plain: {} } as const;
const SIGNS = { good: "✓ ", bad: "✗ ", plain: "" } as const;

function statusLine({ status }: ShellState): Line {
  return status ? [span(SIGNS[status.tone] + status.text, TONES[status.tone])] : [];
}

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPINNER_INTERVAL_MS = 100;

function Busy({ text }: { text: string }): ReactNode {
  const sign = SPINNER[useInterval(SPINNER_INTERVAL_MS) % SPINNER.length]!;
  return <Lines lines={[[span(`${sign} `, THEME.accent), span(`${text} …`, THEME.faint)]]} />;
}

function footLine(bindings: readonly KeyBinding[], always: readonly KeyBinding[], columns: number): Line {
  const shown = activeBindings([...bindings, ...always]);
  return keyLine(
    shown.filter((binding) => !always.includes(binding)),
    shown.filter((binding) => always.includes(binding)),
    columns,
  );
}
