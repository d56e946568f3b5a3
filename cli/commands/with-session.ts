/** Runs a command's handler in a session. Prints errors to standard error and sets the exit code. */
import type { Command } from "commander";
import { Failure } from "../failure.js";
import { isHumanCommand } from "../output/hint-context.js";
import { wantsJson } from "../output/json/flags.js";
import { shellQuoted } from "../output/shell-quote.js";
import { exitOnOutputError, type ProcessIO, processIOOf } from "../process-io.js";
import type { Session, SharedFlags } from "../session.js";
import { exitOnSignals } from "../signals.js";
import { emptyNameMessage, pathOf } from "./cli-command.js";

export type CommandHandler<Flags, Arguments extends readonly unknown[]> = (
  session: Session,
  flags: Flags,
  ...args: Arguments
) => Promise<void>;

export function withSession<Flags = object, Arguments extends readonly unknown[] = string[]>(
  handler: CommandHandler<Flags, Arguments>,
): (...actionArguments: unknown[]) => Promise<void> {
  return async (...actionArguments) => {
    const command = actionArguments.at(-1) as Command;
    const flags = command.optsWithGlobals<SharedFlags & Flags>();
    const args = actionArguments.slice(0, -2) as unknown as Arguments;
    await run(processIOOf(command), flags, (session) => {
      const message = emptyNameMessage(command);
      if (message !== undefined) throw new Failure("USAGE", message);
      if (flags.as !== undefined) assertActsAsHandle(command, flags.as);
      return handler(session, flags, ...args);
    });
  };
}

/** Looks up the names that the hints below the error contain. */
async function completeHintNames(
  session: Session,
  { code, message }: { code?: unknown; message: string },
): Promise<void> {
  const { hintNames } = session;
  const { handle, ownHandle = handle } = hintNames;
  if (code === "CONNECTION_FAILED") {
    const { connectionHintNames } = await import("../services/daemon/running.js");
    Object.assign(hintNames, await connectionHintNames(session));
  } else if (code === "NOT_FOUND" && ownHandle) {
    const { unknownHandleHints } = await import("../services/unknown-handle.js");
    hintNames.unknownHandle = await unknownHandleHints(session, ownHandle);
  } else if (code === "FORBIDDEN" && message.includes(" is not an operator;")) {
    const { ownOperators } = await import("../services/own-handle.js");
    hintNames.operators = await ownOperators(session);
  }
}

/** Commands that authenticate as the human act on the account, so `--as` would have no effect. */
function assertActsAsHandle(command: Command, handle: string): void {
  const path = pathOf(command);
  if (!isHumanCommand(path.split(" ")[1]!)) return;
  throw new Failure(
    "USAGE",
    `${path} acts as the human of the account, not as a handle; leave out --as`,
    command.options.some(({ long }) => long === "--handle")
      ? [`Only what is about this handle: ${path} --handle ${shellQuoted(`@${handle.replace(/^@/, "")}`)}`]
      : [],
  );
}

async function run(
  io: ProcessIO,
  flags: SharedFlags,
  handle: (session: Session) => Promise<void>,
): Promise<void> {
  const { env, stderr } = io;
  if (io === process) exitOnSignals();
  let session: Session | undefined;
  exitOnOutputError(io, {
    isHandled: () => session?.output.handlesOutputErrors === true,
    json: wantsJson(flags),
  });
  try {
    // Import these modules here instead of at the top, so that `--help` stays fast.
    const [{ Session }, { ineffectiveVariables }] = await Promise.all([
      import("../session.js"),
      import("../services/ineffective-variables.js"),
    ]);
    session = new Session(flags, io);
    if (flags.json !== true && flags.json !== undefined) await session.output.setFields(flags.json);
    // Check the `--jq` expression first, so that a command with an invalid expression does nothing.
    if (flags.jq !== undefined) await session.output.setFilter(flags.jq);
    for (const warning of await ineffectiveVariables(env)) session.output.warn(warning);
    await handle(session);
  } catch (error) {
    const [{ presentError }, { paintFor }, { guarded }] = await Promise.all([
      import("../output/errors.js"),
      import("../output/colours.js"),
      import("../output/safe.js"),
    ]);
    if (session && !wantsJson(flags)) await completeHintNames(session, error as Error & { code?: unknown });
    const paint = paintFor({ isTerminal: stderr.isTTY === true, flag: flags.color, env });
    const { text, exitCode } = presentError(error, {
      json: wantsJson(flags),
      paint,
      hintNames: session?.hintNames,
      context: flags,
      width: stderr.isTTY ? stderr.columns : undefined,
    });
    stderr.write(guarded(text));
    io.exitCode = exitCode;
  } finally {
    await session?.close();
  }
}
