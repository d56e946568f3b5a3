/** Formats wires for printing and for the full-screen views. Escapes untrusted text. */
import type { Claim, Wire } from "../../../sdk/src/api.js";
import type { Formatter, Output } from "../output.js";
import { jsonText, oneLine, safe } from "../safe.js";
import { type Column, fieldColumns } from "../table.js";
import { described, indented, own } from "../text.js";
import { counted } from "../units.js";
import { ruleText } from "./rule.js";

export type BlockFormatter = Formatter & Pick<Output, "width">;

/** Returns sender and target: `@alice → #ops`. */
export function fromTo({ sender, recipient, space }: Wire): string {
  return oneLine(`@${sender} → ${toOf({ recipient, space })}`);
}

function toOf({ recipient, space }: Pick<Wire, "recipient" | "space">): string {
  return space === null ? `@${recipient}` : `#${space}`;
}

export function replyAddress({ sender, recipient, space }: Wire, me: string): string {
  if (space !== null) return `#${space}`;
  return `@${sender === me ? (recipient ?? sender) : sender}`;
}

export function wireBody({ text_body, payload, tombstone }: Wire, format: Formatter): string[] {
  if (tombstone) {
    const { removed_by, at } = tombstone;
    return [format.paint("dim", `removed by ${described(REMOVERS, removed_by)}, ${format.time(at)}`)];
  }
  return [
    ...(text_body === null ? [] : safe(text_body).split("\n")),
    ...(payload === null ? [] : jsonLines(payload)),
  ];
}

export const REMOVERS: Readonly<Record<string, string>> = {
  sender: "its sender",
  mod: "a mod of the space",
  operator: "an operator",
};

export function jsonLines(value: unknown): string[] {
  return jsonText(value, 2).split("\n");
}

const RELATIONS: Readonly<Record<string, string>> = {
  same_account: "from the same account as",
  contact: "from a contact of",
  stranger: "from a stranger to",
};

function originNotes({ origin, hops = 0, recipient }: Wire): string[] {
  const relation = origin?.relation ? own(RELATIONS, origin.relation) : undefined;
  return [
    ...(origin?.sent_by === "human" ? ["sent by a human"] : []),
    ...(origin?.approved ? ["approved by a human"] : []),
    ...(relation === undefined ? [] : [oneLine(`${relation} @${recipient}`)]),
    ...(hops === 0 ? [] : [counted(hops, "hop")]),
  ];
}

export function wireNotes(wire: Wire): string[] {
  const { vote_count, schema_ref, reply_to, reply_rule, status, cut } = wire;
  return [
    ...originNotes(wire),
    ...(cut ? ["shortened"] : []),
    ...(status === undefined ? [] : [own(UNSENT, status) ?? oneLine(status)]),
    ...(vote_count === undefined ? [] : [counted(vote_count, "vote")]),
    ...(schema_ref === null ? [] : [`schema ${oneLine(schema_ref)}`]),
    ...(reply_to === null ? [] : [`reply to ${oneLine(reply_to)}`]),
    ...(reply_rule === null ? [] : [`replies: ${oneLine(ruleText(reply_rule))}`]),
  ];
}

/** Formats a claim: `claimed by @bob, expires in 9 min, attempt 2`. */
export function claimText({ state, by, until, attempt }: Claim, time: (time: string) => string): string {
  const end = until === null ? "" : `, expires ${time(until).replace(/^now$/, "in some seconds")}`;
  const text = by === null ? "open" : `${oneLine(state)} by ${oneLine(`@${by}`)}${end}`;
  return attempt > 1 ? `${text}, attempt ${attempt}` : text;
}

function deliveryNotes({ delivery }: Wire, { time }: Formatter): string[] {
  // Omit the removal here, because the body of a removed wire already states it.
  if (!delivery || delivery.state === "removed") return [];
  return [delivery.state === "read" ? `read ${time(delivery.at)}` : "not read yet"];
}

export const UNSENT: Readonly<Record<string, string>> = {
  held: "held: the human who owns the handle must approve it first",
  rejected: "not sent: the human rejected it",
  expired: "not sent: the human did not decide in time",
  failed: "not sent: approved, but a rule refused it",
  withdrawn: "not sent: withdrawn",
};

export function wireLines(wire: Wire, format: BlockFormatter, indent = ""): string[] {
  const { paint, time, width } = format;
  const claim = wire.claim ? [claimText(wire.claim, time)] : [];
  const notes = [...wireNotes(wire), ...claim, ...deliveryNotes(wire, format)].map((note) =>
    paint("dim", note),
  );
  return [
    `${indent}${paint("bold", fromTo(wire))}  ${time(wire.created_at)}  ${paint("dim", oneLine(wire.id))}`,
    ...[...wireBody(wire, format), ...(notes.length === 0 ? [] : [notes.join(paint("dim", " · "))])].flatMap(
      (line) => indented(line, `${indent}  `, width),
    ),
  ].map((line) => line.trimEnd());
}

export const WIRE_COLUMNS: readonly Column<Wire>[] = [
  ...fieldColumns<Wire>("id", "created_at"),
  { title: "from", cell: ({ sender }) => `@${sender}` },
  { title: "to", cell: toOf },
  { title: "text_body", cell: ({ text_body }) => text_body ?? "" },
  { title: "payload", cell: ({ payload }) => (payload === null ? "" : jsonText(payload)) },
  { title: "vote_count", cell: ({ vote_count }) => String(vote_count ?? "") },
  { title: "reply_to", cell: ({ reply_to }) => reply_to ?? "" },
  { title: "claim", cell: ({ claim }) => claim?.state ?? "" },
  { title: "claim_by", cell: ({ claim }) => (claim?.by ? `@${claim.by}` : "") },
  { title: "removed_by", cell: ({ tombstone }) => tombstone?.removed_by ?? "" },
];

/** Help text of commands that print wires. */
export const WIRE_LINE = `In a pipe, a wire is a line of tab-separated columns: ${WIRE_COLUMNS.map(({ title }) => title).join(", ")}.`;

export function writeWires(output: Output, wires: readonly Wire[], emptyText: string): void {
  if (!output.isTerminal || wires.length === 0) {
    output.table(WIRE_COLUMNS, wires, emptyText);
    return;
  }
  for (const [index, wire] of wires.entries()) {
    if (index > 0) output.line();
    for (const line of wireLines(wire, output)) output.line(line);
  }
}
