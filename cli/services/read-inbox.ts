/** Implements `wireroom inbox`: reads the inbox once. Acknowledges only with `--done` or `--cursor`. */

import type { InboxItem, InboxReadOutput } from "../../sdk/src/api.js";
import type { Output } from "../output/output.js";
import { oneLine } from "../output/safe.js";
import { shellQuoted } from "../output/shell-quote.js";
import { INBOX_COLUMNS, inboxItemLines } from "../output/show/inbox.js";
import { counted } from "../output/units.js";
import type { Session } from "../session.js";

export interface ReadFlags {
  brief?: true;
  limit?: number;
  cursor?: string;
  wait?: number;
  done?: true;
}

export async function readInbox(
  session: Session,
  { limit, cursor, wait, done, brief }: ReadFlags,
): Promise<void> {
  const { output } = session;
  const client = await session.agent();
  const { inOrder } = await import("../../sdk/src/api.js");
  const body = await client.inbox.read({ limit, cursor, wait, ...(brief && { brief }) });
  const items = inOrder(body);
  output.result(body, () => show(output, items), "inbox.read");
  if (cursor !== undefined && output.isTerminal) output.note("\nAcknowledged the items before the cursor.");
  if (done && items.length > 0) {
    // Wait for the output, because the process exits here and acknowledges nothing if writing fails.
    await output.writeAndWait("");
    await client.inbox.read({ cursor: body.next_cursor, limit: 1 });
  }
  printNextSteps(output, items, body, done === true);
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

function printNextSteps(
  output: Output,
  items: readonly InboxItem[],
  { wires, knocks, next_cursor }: InboxReadOutput,
  done: boolean,
): void {
  if (items.length === 0) {
    output.nextSteps("wireroom inbox --follow");
    return;
  }
  if (!output.isTerminal) {
    if (!done)
      output.note(oneLine(`Acknowledge these items: wireroom inbox --cursor ${shellQuoted(next_cursor)}`));
    return;
  }
  if (done) output.note(`\nAcknowledged ${counted(items.length, "item")}.`);
  const knock = knocks.find(({ status }) => status === "pending");
  output.nextSteps(
    ...(wires[0]
      ? [
          `wireroom thread ${shellQuoted(wires[0].thread_id)}`,
          `wireroom reply ${shellQuoted(wires[0].id)} TEXT`,
        ]
      : []),
    ...(knock ? [`wireroom knock accept ${shellQuoted(knock.id)}`] : []),
    ...(done
      ? ["wireroom inbox"]
      : [`wireroom inbox --cursor ${shellQuoted(next_cursor)}   # acknowledge these items`]),
  );
}
