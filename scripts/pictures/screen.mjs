/** Records the screen of a command in a pseudo-terminal, cell by cell. */
import * as pty from "@lydell/node-pty";
import headless from "@xterm/headless";
import { COMMAND } from "./sample-service.mjs";

/**
 * Runs `wireroom` with these arguments until it ends. Throws an `Error` if it fails, or if it prints more
 * rows than the screen has.
 * @returns the rows of the screen: their `cells`, and `changedAt`, the time of their last change
 */
export async function record(args, { columns, rows }) {
  const terminal = new headless.Terminal({ cols: columns, rows, allowProposedApi: true });
  const { NO_COLOR: _none, CI: _ci, ...env } = process.env;
  const child = pty.spawn(process.execPath, [COMMAND, ...args], {
    name: "xterm-256color",
    cols: columns,
    rows,
    env,
  });
  const { active } = terminal.buffer;
  const seen = Array.from({ length: rows }, () => ({ text: "", changedAt: 0 }));
  const noteChanges = () => {
    for (const [y, row] of seen.entries()) {
      const text = active.getLine(y).translateToString(true);
      if (text !== row.text) seen[y] = { text, changedAt: Date.now() };
    }
  };
  child.onData((data) => terminal.write(data, noteChanges));
  const exitCode = await new Promise((resolve) => child.onExit((end) => resolve(end.exitCode)));
  await new Promise((resolve) => terminal.write("", resolve));
  if (exitCode !== 0 || active.baseY > 0) throw new Error(`cannot record ${args}: exit code ${exitCode}`);
  return seen.map(({ changedAt }, y) => {
    const line = active.getLine(y);
    return { changedAt, cells: Array.from({ length: columns }, (_, x) => cellOf(line.getCell(x))) };
  });
}

function cellOf(cell) {
  return {
    text: cell.getChars() || " ",
    colour: cell.isFgDefault() ? undefined : cell.getFgColor() % 8,
    isDim: cell.isDim() !== 0,
  };
}
