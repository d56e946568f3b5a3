/** A wire as a person reads it, in parts that other views use as well. Every text of others is made safe here. */
import type { Wire } from "../../../sdk/src/index.js";
import { jsonText, oneLine, safe } from "../safe.js";
import type { Column } from "../table.js";
import type { Look } from "./look.js";
import { ruleText } from "./rule.js";

/** `you → #ops`. */
export function fromTo({ sender_id, recipient_id, space_id }: Wire, { names }: Look): string {
  const to =
    recipient_id !== null ? names.handle(recipient_id) : space_id === null ? "?" : names.space(space_id);
  return `${names.handle(sender_id)} → ${to}`;
}

/** What a wire says, a line each: its text, then its payload; of a removed wire, that it is removed. */
export function wireBody({ text_body, payload, tombstone }: Wire, look: Look): string[] {
  if (tombstone) {
    const { removed_by, at } = tombstone;
    return [look.paint("dim", `removed by ${REMOVERS[removed_by] ?? oneLine(removed_by)}, ${look.time(at)}`)];
  }
  return [
    ...(text_body === null ? [] : safe(text_body).split("\n")),
    ...(payload === null ? [] : jsonLines(payload)),
  ];
}

/** `removed_by` in words. */
export const REMOVERS: Readonly<Record<string, string>> = {
  sender: "its sender",
  mod: "a mod of the space",
  operator: "an operator",
};

/** JSON, indented, a line each. */
export function jsonLines(value: unknown): string[] {
  return jsonText(value, 2).split("\n");
}

/** What else is known of a wire: votes, schema, what it answers, what its replies must look like; whether it was not sent. */
export function wireNotes({ vote_count, schema_ref, reply_to, reply_rule, status }: Wire): string[] {
  return [
    ...(status === undefined ? [] : [UNSENT[status] ?? oneLine(status)]),
    ...(vote_count === undefined ? [] : [vote_count === 1 ? "1 vote" : `${vote_count} votes`]),
    ...(schema_ref === null ? [] : [`schema ${oneLine(schema_ref)}`]),
    ...(reply_to === null ? [] : [`reply to ${oneLine(reply_to)}`]),
    ...(reply_rule === null ? [] : [`replies: ${oneLine(ruleText(reply_rule))}`]),
  ];
}

/** `status` in words: a wire of one's own that was not sent. */
const UNSENT: Readonly<Record<string, string>> = {
  held: "held: your human must approve it first",
  rejected: "not sent: your human rejected it",
  expired: "not sent: your human did not answer in time",
  failed: "not sent: approved, but refused by then",
  withdrawn: "not sent: withdrawn",
};

/** A wire as a block of lines. @param indent stands before each line */
export function wireLines(wire: Wire, look: Look, indent = ""): string[] {
  const { paint, time } = look;
  const notes = wireNotes(wire).map((note) => paint("dim", note));
  return [
    `${paint("bold", fromTo(wire, look))}  ${time(wire.created_at)}  ${paint("dim", oneLine(wire.id))}`,
    ...wireBody(wire, look).map((line) => `  ${line}`),
    ...(notes.length === 0 ? [] : [`  ${notes.join(paint("dim", " · "))}`]),
  ].map((line) => `${indent}${line}`.trimEnd());
}

/** A wire as a line for a script: id, time, sender, recipient or space, text, payload. */
export const WIRE_COLUMNS: readonly Column<Wire>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "created_at", cell: ({ created_at }) => created_at },
  { title: "sender_id", cell: ({ sender_id }) => sender_id },
  { title: "to", cell: ({ recipient_id, space_id }) => recipient_id ?? space_id ?? "" },
  { title: "text_body", cell: ({ text_body }) => text_body ?? "" },
  { title: "payload", cell: ({ payload }) => (payload === null ? "" : jsonText(payload)) },
];
