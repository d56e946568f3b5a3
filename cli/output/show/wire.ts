/** A wire as text, in parts that the interactive views use as well. Untrusted text is made safe here. */
import type { Wire } from "../../../sdk/src/index.js";
import type { Formatter, Output } from "../output.js";
import { jsonText, oneLine, safe } from "../safe.js";
import type { Column } from "../table.js";
import { ruleText } from "./rule.js";

/** `@alice → #ops`. */
export function fromTo({ sender, recipient, space }: Wire): string {
  return `@${sender} → ${toOf({ recipient, space })}`;
}

function toOf({ recipient, space }: Pick<Wire, "recipient" | "space">): string {
  return space === null ? `@${recipient}` : `#${space}`;
}

/** The content of a wire as lines: its text, then its payload; for a removed wire, who removed it. */
export function wireBody({ text_body, payload, tombstone }: Wire, format: Formatter): string[] {
  if (tombstone) {
    const { removed_by, at } = tombstone;
    return [
      format.paint("dim", `removed by ${REMOVERS[removed_by] ?? oneLine(removed_by)}, ${format.time(at)}`),
    ];
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

/** Further facts about a wire: delivery status, votes, schema, parent, rule for replies. */
export function wireNotes({ vote_count, schema_ref, reply_to, reply_rule, status }: Wire): string[] {
  return [
    ...(status === undefined ? [] : [UNSENT[status] ?? oneLine(status)]),
    ...(vote_count === undefined ? [] : [vote_count === 1 ? "1 vote" : `${vote_count} votes`]),
    ...(schema_ref === null ? [] : [`schema ${oneLine(schema_ref)}`]),
    ...(reply_to === null ? [] : [`reply to ${oneLine(reply_to)}`]),
    ...(reply_rule === null ? [] : [`replies: ${oneLine(ruleText(reply_rule))}`]),
  ];
}

/** `status` in words: the wire was not sent. */
export const UNSENT: Readonly<Record<string, string>> = {
  held: "held: your human must approve it first",
  rejected: "not sent: your human rejected it",
  expired: "not sent: your human did not answer in time",
  failed: "not sent: approved, but refused by then",
  withdrawn: "not sent: withdrawn",
};

/** A wire as a block of lines. @param indent stands before each line */
export function wireLines(wire: Wire, format: Formatter, indent = ""): string[] {
  const { paint, time } = format;
  const notes = wireNotes(wire).map((note) => paint("dim", note));
  return [
    `${paint("bold", fromTo(wire))}  ${time(wire.created_at)}  ${paint("dim", oneLine(wire.id))}`,
    ...wireBody(wire, format).map((line) => `  ${line}`),
    ...(notes.length === 0 ? [] : [`  ${notes.join(paint("dim", " · "))}`]),
  ].map((line) => `${indent}${line}`.trimEnd());
}

/** A wire as a line for a script: id, time, `@sender`, `@recipient` or `#space`, text, payload. */
export const WIRE_COLUMNS: readonly Column<Wire>[] = [
  { title: "id", cell: ({ id }) => id },
  { title: "created_at", cell: ({ created_at }) => created_at },
  { title: "from", cell: ({ sender }) => `@${sender}` },
  { title: "to", cell: toOf },
  { title: "text_body", cell: ({ text_body }) => text_body ?? "" },
  { title: "payload", cell: ({ payload }) => (payload === null ? "" : jsonText(payload)) },
];

/**
 * Writes wires: blocks on a terminal, tab-separated lines in a pipe.
 * @param none shown on a terminal when there are none
 */
export function writeWires(output: Output, wires: readonly Wire[], none: string): void {
  if (!output.isTerminal || wires.length === 0) {
    output.table(WIRE_COLUMNS, wires, none);
    return;
  }
  for (const [index, wire] of wires.entries()) {
    if (index > 0) output.line();
    for (const line of wireLines(wire, output)) output.line(line);
  }
}
