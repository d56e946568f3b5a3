/** Runs the terminal views of the command against a daemon. */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, onTestFinished } from "vitest";
import type { TestDaemon } from "./daemon.js";
import { hostedFixture } from "./daemon-fixture.js";
import { Terminal, type TerminalOptions } from "./terminal.js";

export interface ViewOptions extends TerminalOptions {
  /** Runs the command as a process, for tests of signals, of its environment and of the terminal itself. */
  isSeparate?: boolean;
}

export interface Views {
  /**
   * Runs the command with these arguments. It is ended after the current test, so that it does not slow the
   * next ones down.
   */
  open(args: readonly string[], options?: ViewOptions): Terminal;
  /** Runs the command outside a test. It runs beside the tests until `close`. */
  openForAll(args: readonly string[], options?: ViewOptions): Terminal;
  /** The folder of its profiles. */
  folder: string;
  /** Waits until all commands have ended, and removes the folder. */
  close(): Promise<void>;
}

/** Returns a function that opens views for this daemon, with a separate folder of profiles. */
export function viewsOf(daemon: TestDaemon): Views {
  const folder = mkdtempSync(join(tmpdir(), "wireroom-views-"));
  const terminals: Terminal[] = [];
  const openForAll: Views["openForAll"] = (args, { env = {}, isSeparate, ...options } = {}) => {
    const environment = { WIREROOM_URL: daemon.base, WIREROOM_CONFIG_DIR: folder, ...env };
    const start = isSeparate ? Terminal.wireroom : Terminal.inProcess;
    const terminal = start(args, { columns: 120, rows: 30, env: environment, ...options });
    terminals.push(terminal);
    return terminal;
  };
  return {
    folder,
    openForAll,
    open(args, options) {
      const terminal = openForAll(args, options);
      onTestFinished(() => terminal.kill());
      return terminal;
    },
    async close() {
      for (const terminal of terminals) terminal.kill();
      await Promise.all(terminals.map(({ exitCode }) => exitCode));
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/**
 * Starts the daemon of a test file, and provides views for it. Both are closed after the tests of the file.
 */
export async function viewFixture(): Promise<{ daemon: TestDaemon; views: Views }> {
  const { daemon } = await hostedFixture([], {});
  const views = viewsOf(daemon);
  // Vitest runs hooks in reverse order, so the views are closed before the daemon stops.
  afterAll(() => views.close());
  return { daemon, views };
}

/** Waits until the visible screen, without the history, shows a text. */
export function screenShows(terminal: Terminal, wanted: string | RegExp): Promise<string> {
  const shows = (text: string) => (typeof wanted === "string" ? text.includes(wanted) : wanted.test(text));
  return terminal.waitUntil(() => shows(terminal.screen), String(wanted)).then(() => terminal.screen);
}

/** Waits until the visible screen no longer shows a text. */
export function screenHides(terminal: Terminal, unwanted: string): Promise<string> {
  return terminal
    .waitUntil(() => !terminal.screen.includes(unwanted), `the end of ${unwanted}`)
    .then(() => terminal.screen);
}
