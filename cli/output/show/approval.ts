/** Formats approvals: wires and knocks that are held until the human approves or rejects them. */
import type { Approval } from "../../../sdk/src/api.js";
import { plain } from "../colours.js";
import { errorFromEnvelope, explain } from "../errors.js";
import type { Output } from "../output.js";
import { jsonText, oneLine } from "../safe.js";
import { type Column, fieldColumns } from "../table.js";
import { cut, indented } from "../text.js";
import { ruleText } from "./rule.js";

export function approvalLines(
  approval: Approval,
  output: Pick<Output, "paint" | "time" | "width">,
): string[] {
  const { id, handle, target, kind, status, created_at, error } = approval;
  const { paint, width } = output;
  const state = paint(status === "pending" ? "yellow" : "dim", status);
  const fromTo = paint("bold", `@${handle} ${kind === "knock" ? "knocks at" : "→"} ${target}`);
  return [
    `${state}  ${fromTo}  ${output.time(created_at)}  ${paint("dim", id)}`,
    `  ${cut(oneLine(contentOf(approval)), Math.max(1, width - 2))}`,
    ...(error
      ? indented(paint("red", `not sent: ${oneLine(error.message)} (${oneLine(error.code)})`), "  ", width)
      : []),
  ];
}

/** Returns the text and the payload in one line. */
export function contentOf({ wire, knock }: Approval): string {
  if (!wire) return knock?.intro ?? "";
  const payload = wire.payload === null ? "" : jsonText(wire.payload);
  return [wire.text_body ?? "", payload].filter((part) => part !== "").join("  ");
}

export function approvalFields(
  approval: Approval,
  time: (time: string) => string,
): [name: string, value: string | undefined][] {
  const { id, handle, target, kind, wire, knock, status, created_at, decided_at, note } = approval;
  return [
    ["approval", id],
    ["status", status],
    ["from", `@${handle}`],
    ["to", target],
    ["held", time(created_at)],
    ["decided", decided_at === null ? undefined : time(decided_at)],
    ["note", note ?? undefined],
    [kind, wire?.id ?? knock?.id],
    ["reply to", wire?.reply_to ?? undefined],
    ["schema", wire?.schema_ref ?? undefined],
    ["replies", wire?.reply_rule ? ruleText(wire.reply_rule) : undefined],
    ["text", wire?.text_body ?? undefined],
    ["payload", wire && wire.payload !== null ? jsonText(wire.payload, 2) : undefined],
    ["intro", knock?.intro],
    ["not sent", refusal(approval)],
  ];
}

function refusal({ error }: Approval): string | undefined {
  if (error === null) return undefined;
  const { message, code, reasons } = explain(errorFromEnvelope(error), plain);
  return [`${message} (${code})`, ...reasons.map((reason) => reason.trim())].join("\n");
}

/** Columns for printing approvals in a pipe. */
export const APPROVAL_COLUMNS: readonly Column<Approval>[] = [
  ...fieldColumns<Approval>("id", "created_at", "status", "handle", "target", "kind"),
  { title: "text", cell: ({ wire, knock }) => wire?.text_body ?? knock?.intro ?? "" },
  { title: "payload", cell: ({ wire }) => (wire && wire.payload !== null ? jsonText(wire.payload) : "") },
  { title: "error", cell: ({ error }) => error?.code ?? "" },
];
