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
 * Returns an item for a JSON line. `kind` is also the name of the property that contains the resource:
 * `{"kind":"wire","wire":{…}}`, `{"kind":"knock","knock":{…}}`.
 */
export function inboxItemJson(item: InboxItem): object {
  return item.kind === "tombstone_notice" ? { kind: item.kind, tombstone_notice: item.notice } : item;
}

/** Columns of an item in a pipe: kind, id, time, sender, text, payload. */
export const INBOX_COLUMNS: readonly Column<InboxItem>[] = [
  { title: "kind", cell: ({ kind }) => kind },
  { title: "id", cell: (item) => partsOf(item).id },
  { title: "at", cell: (item) => partsOf(item).at },
  { title: "from", cell: (item) => partsOf(item).from },
  { title: "text", cell: (item) => partsOf(item).text },
  { title: "payload", cell: (item) => partsOf(item).payload },
];

function partsOf(item: InboxItem): Record<"id" | "at" | "from" | "text" | "payload", string> {
  if (item.kind === "wire") {
    const { id, created_at, sender, text_body, payload } = item.wire;
    const json = payload === null ? "" : jsonText(payload);
    return { id, at: created_at, from: `@${sender}`, text: text_body ?? "", payload: json };
  }
  if (item.kind === "knock") {
    const { id, created_at, from, intro } = item.knock;
    return { id, at: created_at, from: `@${from}`, text: intro, payload: "" };
  }
  const { wire_id, removed_at, removed_by } = item.notice;
  return { id: wire_id, at: removed_at, from: removed_by, text: "", payload: "" };
}
