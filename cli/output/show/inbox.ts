/** Formats the items of an inbox: wires, knocks, and notices. */
import type { ApprovalNotice, InboxItem, SpaceNotice, TombstoneNotice } from "../../../sdk/src/api.js";
import type { Formatter } from "../output.js";
import { jsonText, oneLine } from "../safe.js";
import type { Column } from "../table.js";
import { indented, own } from "../text.js";
import { knockLines } from "./knock.js";
import { type BlockFormatter, REMOVERS, wireLines } from "./wire.js";

export function inboxItemLines(item: InboxItem, format: BlockFormatter): string[] {
  if (item.kind === "wire") return wireLines(item.wire, format);
  if (item.kind === "knock") return knockLines(item.knock, format);
  if (item.kind === "space_notice") return spaceNoticeLines(item.notice, format);
  return item.kind === "tombstone_notice"
    ? tombstoneLines(item.notice, format)
    : approvalLines(item.notice, format);
}

function tombstoneLines(
  { wire_id, removed_by, removed_at }: TombstoneNotice,
  { paint, time }: Formatter,
): string[] {
  const who = own(REMOVERS, removed_by) ?? oneLine(removed_by);
  return [`${paint("bold", "removed")} by ${who}  ${time(removed_at)}  ${paint("dim", oneLine(wire_id))}`];
}

function approvalLines(notice: ApprovalNotice, { paint, time, width }: BlockFormatter): string[] {
  const { kind, target, status, note, decided_at } = notice;
  const what = `${kind} to ${oneLine(target)}`;
  return [
    `${paint("bold", status)}  ${what}  ${time(decided_at)}  ${paint("dim", oneLine(approvedId(notice)))}`,
    ...(notice.error === null ? [] : [`  not sent: ${oneLine(notice.error)}`]),
    ...(note === null ? [] : indented(note, "  ", width)),
  ];
}

function spaceNoticeLines(notice: SpaceNotice, { paint, time }: Formatter): string[] {
  const { sender, wire_id, created_at } = notice;
  const what = oneLine(`@${sender} ${reasonText(notice)}`);
  return [`${paint("bold", what)}  ${time(created_at)}  ${paint("dim", oneLine(wire_id))}`];
}

/** Returns what the sender did, such as `mentions you in #ops`. */
export function reasonText({ reason, space }: SpaceNotice): string {
  return `${reason === "mention" ? "mentions" : "replies to"} you in #${space}`;
}

function approvedId({ approval_id, wire_id, knock_id }: ApprovalNotice): string {
  return wire_id ?? knock_id ?? approval_id;
}

/** Formats a decision: `rejected the wire to @bob: Ask for the price first.` */
export function decisionText({ kind, target, status, error, note }: ApprovalNotice): string {
  const decision = `${status === "rejected" ? status : "approved"} the ${kind} to ${target}`;
  const failure = error === null ? "" : `, but it was not sent (${error})`;
  return `${decision}${failure}${note === null ? "" : `: ${note}`}`;
}

/**
 * Returns an inbox item for a JSON line. The property that contains the resource has the same name as `kind`:
 * `{"kind":"wire","wire":{…}}`, `{"kind":"knock","knock":{…}}`.
 */
export function inboxItemJson(item: InboxItem): object {
  return "notice" in item ? { kind: item.kind, [item.kind]: item.notice } : item;
}

/** Returns the item that `inboxItemJson` has formatted. */
export function inboxItemOf(json: { kind: string } & Record<string, unknown>): InboxItem {
  const { kind, [kind]: resource } = json;
  return (kind.endsWith("_notice") ? { kind, notice: resource } : json) as InboxItem;
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
  if (kind === "approval_notice") {
    const { decided_at: at, note: text } = item.notice;
    return { ...none, kind, id: approvedId(item.notice), at, text };
  }
  if (kind === "space_notice") {
    const { wire_id: id, created_at: at, sender, space, thread_id } = item.notice;
    return { ...none, kind, id, at, from: `@${sender}`, space: `#${space}`, thread_id };
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
    cell: (item) =>
      item.kind === "tombstone_notice" ? item.notice.removed_by : (itemFacts(item).from ?? ""),
  },
  {
    title: "text",
    cell: (item) =>
      item.kind === "approval_notice"
        ? decisionText(item.notice)
        : item.kind === "space_notice"
          ? reasonText(item.notice)
          : (itemFacts(item).text ?? ""),
  },
  {
    title: "payload",
    cell: (item) => (item.kind === "wire" && item.wire.payload !== null ? jsonText(item.wire.payload) : ""),
  },
  {
    title: "removed_by",
    cell: (item) => (item.kind === "wire" ? (item.wire.tombstone?.removed_by ?? "") : ""),
  },
];
