/** Reads the inbox once. Nothing is acknowledged unless `--done` or `--cursor` asks for it. */
import type { InboxItem, InboxReadOutput } from "../../../sdk/src/index.js";
import type { Output } from "../../output/output.js";
import { INBOX_COLUMNS, inboxItemLines } from "../../output/show/inbox.js";
import type { Session } from "../../session.js";

export interface ReadFlags {
  limit?: number;
  cursor?: string;
  wait?: number;
  done?: true;
}

export async function readInbox(session: Session, { limit, cursor, wait, done }: ReadFlags): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const { inOrder } = await import("../../../sdk/src/index.js");
  const body = await client.inbox.read({ limit, cursor, wait });
  const items = inOrder(body);
  output.result(body, () => show(output, items));
  if (done && items.length > 0) {
    // Only items that were read may be acknowledged: a closed pipe ends the process here.
    await output.deliver("");
    await client.inbox.read({ cursor: body.next_cursor, limit: 1 });
  }
  sayNext(output, items, body, done === true);
}

function show(output: Output, items: readonly InboxItem[]): void {
  if (!output.isTerminal || items.length === 0) {
    output.table(INBOX_COLUMNS, items, "nothing new");
    return;
  }
  for (const [index, item] of items.entries()) {
    if (index > 0) output.line();
    for (const line of inboxItemLines(item, output)) output.line(line);
  }
}

function sayNext(
  output: Output,
  items: readonly InboxItem[],
  { wires, knocks, next_cursor }: InboxReadOutput,
  done: boolean,
): void {
  if (items.length === 0) {
    output.next("wireroom inbox --follow");
    return;
  }
  if (!output.isTerminal) {
    if (!done) output.note(`Dealt with? wireroom inbox --cursor ${next_cursor}`);
    return;
  }
  if (done)
    output.note(`\nMarked as dealt with: ${items.length === 1 ? "this one" : `these ${items.length}`}.`);
  output.next(
    ...(wires[0] ? [`wireroom thread ${wires[0].thread_id}`] : []),
    ...(knocks[0] ? [`wireroom knock accept ${knocks[0].id}`] : []),
    ...(done ? ["wireroom inbox"] : [`wireroom inbox --cursor ${next_cursor}   # these are dealt with`]),
  );
}
