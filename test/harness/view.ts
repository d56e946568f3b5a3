/** The views of the command on a pseudo-terminal. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll } from "vitest";
import type { TestDaemon } from "./daemon.js";
import { fileDaemon } from "./file-daemon.js";
import { Terminal, type TerminalOptions } from "./terminal.js";

export interface Views {
  /** Starts the command with these arguments. */
  open(args: readonly string[], options?: TerminalOptions): Terminal;
  /** The folder of its profiles. */
  folder: string;
  /** Ends what still runs, and removes the folder. */
  close(): Promise<void>;
}

/** Views that speak to this daemon, with a folder of profiles of their own. */
export function viewsOf(daemon: TestDaemon): Views {
  const folder = mkdtempSync(join(tmpdir(), "wireroom-views-"));
  const terminals: Terminal[] = [];
  return {
    folder,
    open(args, { env = {}, columns = 120, rows = 30, ...options } = {}) {
      const surroundings = { WIREROOM_URL: daemon.base, WIREROOM_CONFIG_DIR: folder, ...env };
      const terminal = Terminal.wireroom(args, { columns, rows, env: surroundings, ...options });
      terminals.push(terminal);
      return terminal;
    },
    async close() {
      for (const terminal of terminals) terminal.kill();
      await Promise.all(terminals.map(({ ended }) => ended));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** The daemon of a test file, and views that speak to it; both end after the file's tests. */
export async function fileViews(): Promise<{ daemon: TestDaemon; views: Views }> {
  const { daemon } = await fileDaemon([], {});
  const views = viewsOf(daemon);
  // Runs before the daemon stops: hooks run last in, first out.
  afterAll(() => views.close());
  return { daemon, views };
}

/** Waits until the screen itself, not what has scrolled away, shows something. */
export function screenShows(terminal: Terminal, wanted: string | RegExp): Promise<string> {
  const shows = (text: string) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
  return terminal.waitUntil(() => shows(terminal.screen), String(wanted)).then(() => terminal.screen);
}

/** Waits until the screen no longer shows something. */
export function screenHides(terminal: Terminal, unwanted: string): Promise<string> {
  return terminal
    .waitUntil(() => !terminal.screen.includes(unwanted), `the end of ${unwanted}`)
    .then(() => terminal.screen);
}
