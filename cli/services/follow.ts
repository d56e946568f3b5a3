/** Prints new items as they arrive, from the inbox, a thread or a space. */
import { createInterface } from "node:readline";
import type { InboxItem, ListenOptions, Wire, WiresListenOptions } from "../../sdk/src/api.js";
import { Failure, Interrupted } from "../failure.js";
import { type PageFlags, rejectOptions } from "../input/pages.js";
import type { Output } from "../output/output.js";
import { INBOX_COLUMNS, inboxItemJson, inboxItemLines } from "../output/show/inbox.js";
import { WIRE_COLUMNS, wireLines } from "../output/show/wire.js";
import { type Column, tabSeparated } from "../output/table.js";
import { outputErrorMessage, statsOf } from "../process-io.js";
import type { Session } from "../session.js";
import { type RetryOptions, untilSignal } from "./until-signal.js";

/**
 * Implements `--follow` of `thread` and `space feed`: prints wires as they arrive, starting after `--cursor`
 * or with the next new wire. Stores no cursor. Without `--follow`, resolves to false.
 */
export async function followWires(
  session: Session,
  flags: PageFlags,
  listen: (options: ListenOptions & WiresListenOptions) => AsyncIterable<Wire>,
): Promise<boolean> {
  if (!flags.follow) return false;
  rejectOptions(flags, ["limit", "all", "brief"], "--follow");
  // Without a cursor, the SDK starts with the next new wire.
  const cursor = flags.cursor === "latest" ? undefined : flags.cursor;
  const cursors = { get: () => cursor, set: () => {} };
  await followItems<Wire>(session, {
    listen: (options) => listen({ ...options, cursors }),
    json: (wire) => wire,
    operation: "threads.get",
    columns: WIRE_COLUMNS,
    lines: (wire) => wireLines(wire, session.output),
  });
  return true;
}

export interface FollowFlags {
  /** Acknowledge an item, and print the next one, only after a line arrives on standard input. */
  ack?: true;
  /** Acknowledge each item after it is written, even to a pipe. */
  done?: true;
}

/**
 * Prints new items, and acknowledges each item after it is printed. With `ack`, acknowledges an item only
 * after the reader requests the next one. For a pipe, the user must choose `ack` or `done`, because a pipe
 * buffers output and the writer cannot tell whether anyone has read it.
 */
export async function followInbox(session: Session, { ack, done }: FollowFlags): Promise<void> {
  const { output } = session;
  if (ack && done) throw new Failure("USAGE", "--ack cannot be combined with --done");
  if (!ack && !done && isPipe(session.io.stdout))
    throw new Failure(
      "USAGE",
      "in a pipe, --follow requires --ack or --done, because a pipe does not tell which items its reader has processed",
      [
        "Let the reader acknowledge each item: wireroom inbox --follow --ack",
        "Or acknowledge each item once it is written: wireroom inbox --follow --done",
      ],
    );
  const client = await session.agent();
  // With a page size of 1, the request for the next item acknowledges this one.
  const pageSize = ack && 1;
  let requests: AsyncIterator<string> | undefined;
  await followItems<InboxItem>(session, {
    listen(options) {
      if (ack) requests = linesOf(session.io.stdin, options.signal);
      return client.inbox.listen({ ...options, pageSize });
    },
    json: inboxItemJson,
    operation: "inbox.read",
    columns: INBOX_COLUMNS,
    lines: (item) => inboxItemLines(item, output),
    mayContinue: async () => requests === undefined || !(await requests.next()).done,
    leaveWarning: "the last item could not be acknowledged; it will be shown again",
  });
}

/** Returns whether standard output is a pipe or socket, which buffers text that may never be read. */
function isPipe({ isTTY, fd }: NodeJS.WriteStream & { fd?: number }): boolean {
  if (isTTY) return false;
  if (fd === undefined) return true;
  const stats = statsOf(fd);
  return stats.isFIFO() || stats.isSocket();
}

function linesOf(stdin: NodeJS.ReadStream, signal: AbortSignal): AsyncIterator<string> {
  const lines = createInterface({ input: stdin });
  signal.addEventListener("abort", () => lines.close(), { once: true });
  return lines[Symbol.asyncIterator]();
}

interface Log<Item> {
  listen(options: Pick<RetryOptions, "signal" | "onRetry" | "onRead">): AsyncIterable<Item>;
  /** Formats an item for `--json`. `columns` formats it for a pipe, and `lines` for a terminal. */
  json(item: Item): unknown;
  operation: string;
  columns: readonly Column<Item>[];
  lines(item: Item): string[];
  /** Called after an item is printed. Resolves to false to stop before the next item. Default: true. */
  mayContinue?: () => Promise<boolean>;
  /** Warning to print if listening ends with an error after Ctrl-C. */
  leaveWarning?: string;
}

/** Prints the items until a signal or until the pipe is closed. Retries while the daemon is unreachable. */
async function followItems<Item>(session: Session, log: Log<Item>): Promise<void> {
  const { output } = session;
  output.handlesOutputErrors = true;
  const exitCode = await untilSignal(session, async ({ signal, onRetry, onRead }) => {
    let separator = "";
    try {
      for await (const item of log.listen({ signal, onRetry, onRead })) {
        if (!(await isWritten(output, `${separator}${textOf(item, log, output)}`))) return;
        separator = output.isTerminal && !output.json ? "\n" : "";
        if (log.mayContinue && !(await log.mayContinue())) return;
      }
    } catch (error) {
      if (signal.aborted && log.leaveWarning) output.warn(log.leaveWarning);
      throw error;
    }
  });
  if (exitCode !== undefined) throw new Interrupted(exitCode);
}

/** Returns false if the pipe is closed. */
async function isWritten(output: Output, text: string): Promise<boolean> {
  try {
    await output.writeAndWait(text);
    return true;
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "EPIPE") return false;
    throw new Failure("FAILED", outputErrorMessage(error as Error), [], { cause: error });
  }
}

function textOf<Item>(item: Item, { json, operation, columns, lines }: Log<Item>, output: Output): string {
  if (output.json) return output.jsonLine(json(item), { operation });
  if (!output.isTerminal) return `${tabSeparated(columns, [item])}\n`;
  return `${lines(item).join("\n")}\n`;
}
