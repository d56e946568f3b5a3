/** Runs the command in a pseudo-terminal and reads its screen, cell by cell. */
import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { COMMAND } from "./sample-service.mjs";

/** Maximum time until the screen shows an expected text. */
const TIMEOUT_MS = 60_000;

/**
 * Starts `wireroom` with these arguments.
 * @returns `press(...keys)`, `shows(text)`, which waits until the screen shows the text, `cells()`, and
 *   `close()`
 */
export function openScreen(args, { columns, rows, env }) {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const { NO_COLOR: _none, CI: _ci, ...inherited } = process.env;
  const child = pty.spawn(process.execPath, [COMMAND, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    env: { ...inherited, ...env },
  });
  child.onData((data) => terminal.write(data));
  terminal.onData((answer) => child.write(answer));

  const line = (y) => terminal.buffer.active.getLine(y + terminal.buffer.active.viewportY);
  const text = () =>
    Array.from({ length: rows }, (_, y) => line(y)?.translateToString(true) ?? "").join("\n");
  return {
    press: (...keys) => {
      for (const key of keys) child.write(key);
    },
    async shows(wanted) {
      const end = Date.now() + TIMEOUT_MS;
      while (!text().includes(wanted)) {
        if (Date.now() > end) throw new Error(`the screen never showed ${wanted}; it shows:\n${text()}`);
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
    },
    cells: () =>
      Array.from({ length: rows }, (_, y) =>
        Array.from({ length: columns }, (_, x) => cellOf(line(y)?.getCell(x))),
      ),
    close: () => child.kill(),
  };
}

/** Returns the text and style of a cell. A wide character is followed by a cell of width 0. */
function cellOf(cell) {
  if (!cell) return { text: " ", width: 1, colour: undefined, bold: false, dim: false, inverse: false };
  return {
    text: cell.getChars() || " ",
    width: cell.getWidth(),
    colour: cell.isFgDefault() ? undefined : cell.getFgColor() % 8,
    bold: cell.isBold() !== 0,
    dim: cell.isDim() !== 0,
    inverse: cell.isInverse() !== 0,
  };
}
