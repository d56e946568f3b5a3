/** Renders a view's last two lines: the status line, and the foot line that names the keys. */
import { Box } from "ink";
import { type ReactNode, useEffect, useState } from "react";
import { Lines } from "../styled-text/line.js";
import { type Line, span } from "../styled-text/spans.js";
import { THEME } from "../styled-text/theme.js";
import { activeBindings, type KeyBinding } from "./key-bindings.js";
import { keyLine } from "./key-lines.js";
import type { ShellState } from "./shell.js";

const SPINNER = ["⠋", "⠙", "⠹", "⠸", "⠼", "⠴", "⠦", "⠧", "⠇", "⠏"];
const SPINNER_INTERVAL_MS = 100;
const TONES = { good: THEME.good, bad: THEME.bad, plain: {} } as const;
const SIGNS = { good: "✓ ", bad: "✗ ", plain: "" } as const;

export interface FootProps {
  state: ShellState;
  columns: number;
  bindings: readonly KeyBinding[];
  /** Bindings that the foot line always names, even in a narrow window. */
  always: readonly KeyBinding[];
}

export function Foot({ state, columns, bindings, always }: FootProps): ReactNode {
  const { busy, status } = state;
  const shown = activeBindings([...bindings, ...always]);
  const keys = keyLine(
    shown.filter((binding) => !always.includes(binding)),
    shown.filter((binding) => always.includes(binding)),
    columns - 2,
  );
  return (
    <Box flexDirection="column" flexShrink={0} height={2} paddingX={1}>
      {busy === undefined ? <Lines lines={[statusLine(status)]} /> : <Busy text={busy} />}
      <Lines lines={[keys]} />
    </Box>
  );
}

function statusLine(status: ShellState["status"]): Line {
  return status ? [span(SIGNS[status.tone] + status.text, TONES[status.tone])] : [];
}

function Busy({ text }: { text: string }): ReactNode {
  const [turn, setTurn] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => setTurn((before) => before + 1), SPINNER_INTERVAL_MS);
    return () => clearInterval(timer);
  }, []);
  const sign = SPINNER[turn % SPINNER.length]!;
  return <Lines lines={[[span(`${sign} `, THEME.accent), span(`${text} …`, THEME.faint)]]} />;
}
