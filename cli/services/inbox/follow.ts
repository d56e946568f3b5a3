/** Prints new items of the inbox as they arrive, and acknowledges each when it is printed or on request. */

import { createInterface } from "node:readline";
import type { InboxItem } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { INBOX_COLUMNS, inboxItemJson, inboxItemLines } from "../../output/show/inbox.js";
import { statsOf } from "../../process-io.js";
import type { Session } from "../../session.js";
import { followItems } from "../follow/items.js";

export interface FollowFlags {
  /** Acknowledges an item, and prints the next one, only when a line arrives on standard input. */
  ack?: true;
  /** Acknowledges each item after it is written, also in a pipe. */
  done?: true;
}

/**
 * Acknowledges only items that were written, and with `ack` only those that the reader has requested. A pipe
 * accepts 64 KB before its reader reads anything, and its writer cannot see what was read, so the user must
 * choose between `ack` and `done`.
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
  // With a page size of 1, the next request acknowledges the item.
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

/** Returns whether standard output only buffers. A terminal shows what is written, and a file stores it. */
function isPipe({ isTTY, fd }: NodeJS.WriteStream & { fd?: number }): boolean {
  if (isTTY) return false;
  if (fd === undefined) return true;
  const stats = statsOf(fd);
  return stats.isFIFO() || stats.isSocket();
}

/** Yields the lines of standard input. Ends with the input, or when the signal aborts. */
function linesOf(stdin: NodeJS.ReadStream, signal: AbortSignal): AsyncIterator<string> {
  const lines = createInterface({ input: stdin });
  signal.addEventListener("abort", () => lines.close(), { once: true });
  return lines[Symbol.asyncIterator]();
}
