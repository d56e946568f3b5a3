/** Formats the items of an inbox: wires, knocks, and notices of removed wires. */
import type { InboxItem, TombstoneNotice } from "../../../sdk/src/index.js";
import type { Formatter } from "../output.js";
import { jsonText, oneLine } from "../safe.js";
import type { Column } from "../table.js";
import { own } from "../text.js";
import { knockLines } from "./knock.js";
import { type BlockFormatter, REMOVERS, wireLines } from "./wire.js";

export function inboxItemLines(item: InboxItem, format: BlockFormatter): string[] {
  if (item.kind === "wire") return wireLines(item.wire, format);
  return item.kind === "knock" ? knockLines(item.knock, format) : noticeLines(item.notice, format);
}

function noticeLines(
  { wire_id, removed_by, removed_at }: TombstoneNotice,
  { paint, time }: Formatter,
): string[] {
  const who = own(REMOVERS, removed_by) ?? oneLine(removed_by);
  return [`${paint("bold", "removed")} by ${who}  ${time(removed_at)}  ${paint("dim", oneLine(wire_id))}`];
}

/**
 * Returns an inbox item for a JSON line. The property that contains the resource has the same name as `kind`:
 * `{"kind":"wire","wire":{…}}`, `{"kind":"knock","knock":{…}}`.
 */
export function inboxItemJson(item: InboxItem): object {
  return item.kind === "tombstone_notice" ? { kind: item.kind, tombstone_notice: item.notice } : item;
}

/** Returns the item that `inboxItemJson` has formatted. */
export function inboxItemOf(json: object): InboxItem {
  return ("tombstone_notice" in json ? { ...json, notice: json.tombstone_notice } : json) as InboxItem;
}

/** Fields that the item lacks are null. */
export function itemFacts(item: InboxItem) {
  const { kind } = item;
  const none = { from: null, text: null, thread_id: null, reply_to: null, space: null, schema_ref: null };
  if (kind === "wire") {
    const { id, created_at: at, sender, text_body: text, space, thread_id, reply_to, schema_ref } = item.wire;
    const common = { kind, id, at, from: `@${sender}`, text, thread_id, reply_to, schema_ref };
    return { ...common, space: space === null ? null : `#${space}` };
  }
  if (kind === "knock") {
    const { id, created_at, from, intro } = item.knock;
    return { ...none, kind, id, at: created_at, from: `@${from}`, text: intro };
  }
  const { wire_id, removed_at, thread_id } = item.notice;
  return { ...none, kind, id: wire_id, at: removed_at, thread_id };
}

/** Columns for inbox items in a pipe. */
export const INBOX_COLUMNS: readonly Column<InboxItem>[] = [
  { title: "kind", cell: ({ kind }) => kind },
  { title: "id", cell: (item) => itemFacts(item).id },
  { title: "at", cell: (item) => itemFacts(item).at },
  {
    title: "from",
    cell: (item) => (item.kind === "tombstone_notice" ? item.notice.removed_by : itemFacts(item).from!),
  },
  { title: "text", cell: (item) => itemFacts(item).text ?? "" },
  {
    title: "payload",
    cell: (item) => (item.kind === "wire" && item.wire.payload !== null ? jsonText(item.wire.payload) : ""),
  },
];
