/** Creates the inbox's forms, and converts a filled form to the request that it sends. */
import { strictJsonProblem } from "../../../daemon/local/offline.js";
import type { Wire, WiresSendInput } from "../../../sdk/src/api.js";
import { Failure } from "../../failure.js";
import { oneLine } from "../../output/safe.js";
import { replyAddress } from "../../output/show/wire.js";
import { type Form, field } from "../frame/form.js";
import { summaryOf } from "./items.js";

const TEXT = field("text", "Text", { isMultiline: true });
const PAYLOAD = field("payload", "Payload (JSON)", { isMultiline: true, hint: '{"price": 12}' });

export function replyForm(wire: Wire, me: string, focus: "text" | "payload"): Form {
  const fields = [TEXT, PAYLOAD];
  const summary = oneLine(summaryOf({ item: { kind: "wire", wire } }));
  return {
    title: `Reply to ${replyAddress(wire, me)}: ${summary.length > 40 ? `${summary.slice(0, 40)}…` : summary}`,
    fields,
    focus: fields.findIndex(({ name }) => name === focus),
  };
}

export function wireForm(): Form {
  const to = field("to", "To", { hint: "@handle or #space" });
  return { title: "New wire", fields: [to, TEXT, PAYLOAD] };
}

export function searchForm(): Form {
  const fields = [
    field("space", "Space", { hint: "#ops" }),
    field("q", "Words", { hint: '"disk full" -test' }),
  ];
  return { title: "Search a space", fields, verb: "search" };
}

export function sendInputOf(
  { to = "", text = "", payload = "" }: Readonly<Record<string, string>>,
  me: string,
  replyTo: Wire | undefined,
): WiresSendInput {
  const target = replyTo ? replyAddress(replyTo, me) : to.trim();
  const json = payload.trim();
  if (target === "") throw new Failure("USAGE", "the recipient is missing: write @handle or #space");
  if (text.trim() === "" && json === "")
    throw new Failure("USAGE", "the wire is empty: write a text, a payload, or both");
  return {
    to: target,
    ...(text.trim() !== "" && { text }),
    ...(json !== "" && { payload: parsedJson(json) }),
    ...(replyTo && { reply_to: replyTo.id }),
  };
}

function parsedJson(json: string): unknown {
  let payload: unknown;
  try {
    payload = JSON.parse(json);
  } catch (error) {
    throw new Failure("USAGE", `the payload is not JSON: ${(error as Error).message}`);
  }
  const problem = strictJsonProblem(json, 1);
  if (problem) throw new Failure("USAGE", `the payload: ${problem}`);
  return payload;
}
