/** Forms in which a wire is written, and what they say when they are sent. */
import type { Wire, WiresSendInput } from "../../../sdk/src/index.js";
import { Failure } from "../../failure.js";
import { type Form, field, fieldValue } from "../kit/form.js";
import { gistOf } from "./items.js";

/** What a form is for: `reply ID`, `wire` or `search`. It names the draft as well. */
export type Purpose = string;

const TEXT = field("text", "Text", { multiline: true });
const PAYLOAD = field("payload", "Payload (JSON)", { multiline: true, hint: '{"price": 12}' });

/** @param focus the field that takes the keys first */
export function replyForm(wire: Wire, me: string, focus: "text" | "payload"): Form {
  const fields = [TEXT, PAYLOAD];
  const gist = gistOf({ kind: "wire", wire });
  return {
    title: `Reply to ${addressOf(wire, me)}: ${gist.length > 40 ? `${gist.slice(0, 40)}…` : gist}`,
    fields,
    focus: fields.findIndex(({ name }) => name === focus),
  };
}

export function wireForm(): Form {
  const to = field("to", "To", { hint: "@handle or #space" });
  return { title: "New wire", fields: [to, TEXT, PAYLOAD], focus: 0 };
}

export function searchForm(): Form {
  const fields = [
    field("space", "Space", { hint: "#ops" }),
    field("q", "Words", { hint: '"disk full" -test' }),
  ];
  return { title: "Search a space", fields, focus: 0 };
}

/** What is sent. Throws a `Failure` that says what is missing or cannot be read. */
export function wireOf(form: Form, to: string | undefined, replyTo: string | undefined): WiresSendInput {
  const target = to ?? fieldValue(form, "to").trim();
  const text = fieldValue(form, "text");
  const json = fieldValue(form, "payload").trim();
  if (target === "") throw new Failure("USAGE", "write to whom it goes: @handle or #space");
  if (text.trim() === "" && json === "") throw new Failure("USAGE", "write a text, a payload, or both");
  return {
    to: target,
    ...(text.trim() !== "" && { text }),
    ...(json !== "" && { payload: parsed(json) }),
    ...(replyTo !== undefined && { reply_to: replyTo }),
  };
}

/** Where a reply to a wire goes: its space, its sender, or the recipient of one's own. */
export function addressOf({ sender, recipient, space }: Wire, me: string): string {
  if (space !== null) return `#${space}`;
  return `@${sender === me ? (recipient ?? sender) : sender}`;
}

function parsed(json: string): unknown {
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new Failure("USAGE", `the payload is not JSON: ${(error as Error).message}`);
  }
}
