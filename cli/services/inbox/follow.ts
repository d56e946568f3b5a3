/** Prints new items of the inbox as they arrive. Acknowledges each item after it is printed, or on request. */

import { fstatSync } from "node:fs";
import { createInterface } from "node:readline";
import type { InboxItem, WireroomError } from "../../../sdk/src/index.js";
import { Failure, Interrupted } from "../../failure.js";
import type { Output } from "../../output/output.js";
import { INBOX_COLUMNS, inboxItemJson, inboxItemLines } from "../../output/show/inbox.js";
import { tabSeparated } from "../../output/table.js";
import type { Session } from "../../session.js";
import { onInterrupt } from "../../signals.js";
import { Outage } from "./outage.js";

export interface FollowFlags {
  /** Acknowledges an item, and prints the next one, only when a line arrives on standard input. */
  ack?: true;
  /** Acknowledges each item after it is written, also in a pipe. */
  done?: true;
}

/**
 * Prints new items of the inbox until Ctrl-C or until the pipe is closed. Acknowledges only items that were written, and with
 * `ack` only those that the reader has requested to acknowledge. Keeps trying while the daemon is unreachable.
 *
 * A pipe accepts 64 KB before its reader reads anything, and its writer cannot see what was read. So only the reader can say that
 * it is done with an item. In a pipe, the user must therefore choose between `ack` and `done`.
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
  const stop = new AbortController();
  let exitCode: number | undefined;
  onInterrupt((code) => {
    exitCode = code;
    stop.abort();
  });
  output.handlesClosedPipe = true;
  const outage = new Outage(await session.url(), (text) => output.warn(text));
  const requests = ack && linesOf(session.io.stdin, stop.signal);
  try {
    let isFirst = true;
    const onRetry = (error: WireroomError) => outage.report(error);
    const onRead = () => outage.end();
    // With a page size of 1, the next request acknowledges the item.
    const pageSize = ack && 1;
    for await (const item of client.inbox.listen({ signal: stop.signal, onRetry, onRead, pageSize })) {
      if (!(await writeItem(output, `${isFirst ? "" : itemSeparator(output)}${textOf(item, output)}`))) break;
      isFirst = false;
      if (requests && (await requests.next()).done) break;
    }
  } catch (error) {
    if (exitCode === undefined) throw error;
    output.warn("the last item could not be acknowledged; it will be shown again");
  } finally {
    stop.abort();
  }
  if (exitCode !== undefined) throw new Interrupted(exitCode);
}

/** Returns whether standard output only buffers what is written. A terminal shows it, and a file stores it. */
function isPipe({ isTTY, fd }: NodeJS.WriteStream & { fd?: number }): boolean {
  if (isTTY) return false;
  if (fd === undefined) return true;
  const stats = fstatSync(fd);
  return stats.isFIFO() || stats.isSocket();
}

/** Yields the lines of standard input. Ends with the input, or when the signal aborts. */
function linesOf(stdin: NodeJS.ReadStream, signal: AbortSignal): AsyncIterator<string> {
  const lines = createInterface({ input: stdin });
  signal.addEventListener("abort", () => lines.close(), { once: true });
  return lines[Symbol.asyncIterator]();
}

/** Writes the text of an item. Returns false if the pipe is closed, which is not an error. */
async function writeItem(output: Output, text: string): Promise<boolean> {
  try {
    await output.writeAndWait(text);
    return true;
  } catch (error) {
    const { code, message } = error as NodeJS.ErrnoException;
    if (code === "EPIPE") return false;
    throw new Failure("FAILED", `cannot write to standard output: ${message}`, [], { cause: error });
  }
}

function textOf(item: InboxItem, output: Output): string {
  if (output.json) return output.jsonOf(inboxItemJson(item));
  if (!output.isTerminal) return `${tabSeparated(INBOX_COLUMNS, [item])}\n`;
  return `${inboxItemLines(item, output).join("\n")}\n`;
}

/** Returns the separator between two items. Only a terminal without `--json` gets an empty line. */
function itemSeparator(output: Output): string {
  return output.isTerminal && !output.json ? "\n" : "";
}
