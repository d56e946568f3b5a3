/** From a command line to a command's work, and from what it throws to an exit code. */
import type { Command } from "commander";
import { EXIT } from "../exit-codes.js";
import { endOnSignals } from "../interrupts.js";
import type { Session, SharedFlags } from "../session.js";
import { type Surroundings, surroundingsOf } from "../surroundings.js";

/** The work of a command: it gets the session, its own flags, and its arguments in order. */
export type Work<Flags, Arguments extends readonly unknown[]> = (
  session: Session,
  flags: Flags,
  ...args: Arguments
) => Promise<void>;

/**
 * Makes commander's action of a command's work.
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
  // Whoever reads has had enough: `wireroom inbox | head -1` is no error.
  stdout.on("error", (error: NodeJS.ErrnoException) => {
    if (session?.output.endsByItself !== true) process.exit(error.code === "EPIPE" ? EXIT.ok : EXIT.failed);
  });
  try {
    // Loaded here, since `--help` needs none of it.
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
