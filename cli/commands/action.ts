/** Runs the work of a command: creates its session, presents what it throws, sets the exit code. */
import type { Command } from "commander";
import { EXIT } from "../exit-codes.js";
import { endOnSignals } from "../interrupts.js";
import type { Session, SharedFlags } from "../session.js";
import { type Surroundings, surroundingsOf } from "../surroundings.js";

/** The work of a command. It gets the session, its flags, and its arguments in order. */
export type Work<Flags, Arguments extends readonly unknown[]> = (
  session: Session,
  flags: Flags,
  ...args: Arguments
) => Promise<void>;

/**
 * Wraps the work of a command as an action for commander.
 *
 * @example
 * ```ts
 * command.action(action<{ limit?: number }>(async (session, { limit }) => …));
 * ```
 */
export function action<Flags = object, Arguments extends readonly unknown[] = string[]>(
  work: Work<Flags, Arguments>,
): (...given: unknown[]) => Promise<void> {
  return async (...given) => {
    const command = given.at(-1) as Command;
    const flags = command.optsWithGlobals<SharedFlags & Flags>();
    const args = given.slice(0, -2) as unknown as Arguments;
    await run(surroundingsOf(command), flags, (session) => work(session, flags, ...args));
  };
}

async function run(
  surroundings: Surroundings,
  flags: SharedFlags,
  work: (session: Session) => Promise<void>,
): Promise<void> {
  const { env, stdout, stderr } = surroundings;
  if (surroundings === process) endOnSignals();
  let session: Session | undefined;
  // A reader that closes the pipe early is no error: `wireroom inbox | head -1`.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (session?.output.endsByItself !== true) process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  try {
    // Loaded on demand: `--help` does not need it.
    const { Session } = await import("../session.js");
    session = new Session(flags, surroundings);
    await work(session);
  } catch (error) {
    const [{ presentError }, { paintFor }] = await Promise.all([
      import("../output/errors.js"),
      import("../output/colours.js"),
    ]);
    const paint = paintFor({ isTerminal: stderr.isTTY === true, flag: flags.color, env });
    const { text, exitCode } = presentError(error, {
      json: flags.json === true,
      paint,
      named: session?.named,
      width: stderr.isTTY ? stderr.columns : undefined,
    });
    stderr.write(text);
    surroundings.exitCode = exitCode;
  } finally {
    await session?.close();
  }
}
