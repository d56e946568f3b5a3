/** Prints new inbox items as they arrive. Acknowledges each item after printing it, or on request. */

import { createInterface } from "node:readline";
import type { InboxItem } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { INBOX_COLUMNS, inboxItemJson, inboxItemLines } from "../../output/show/inbox.js";
import { statsOf } from "../../process-io.js";
import type { Session } from "../../session.js";
import { followItems } from "../follow/items.js";

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
