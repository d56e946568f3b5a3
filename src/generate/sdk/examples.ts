/** Generates the example call in each SDK method's doc comment. */
import type { Operation } from "../../contract/operation.js";
import type { Json } from "./names.js";

/** Example inputs of operations whose required fields alone would not show a typical call. */
const INPUTS: Record<string, Json> = {
  "wires.send": { to: "@bob", text: "hi" },
  "inbox.read": { wait: 30 },
  "knocks.list": { status: "pending" },
  "spaces.feed": { slug: "ops", order: "top" },
  "spaces.update": { slug: "ops", members: [{ handle: "@bob", role: "poster" }] },
  "switchboard.search": { type: "handles", q: "weather" },
  "profile.update": { contact_policy: "contacts_only" },
  "operator.setSuspended": { slug: "@mallory", suspended: true },
  "handles.create": { slug: "alice", discoverable: true },
};

/** Returns the argument of the example call as source code; `""` if the operation needs no argument. */
export function exampleInput(operation: Operation): string {
  const input = INPUTS[operation.id] ?? requiredFields(operation);
  return Object.keys(input).length === 0 ? "" : source(input);
}

function requiredFields(operation: Operation): Json {
  const required = Object.entries(operation.fields).filter(([, field]) => field.required);
  return Object.fromEntries(
    required.map(([name, { schema }]) => [name, (schema as { examples?: unknown[] }).examples?.[0]]),
  );
}

export function source(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(source).join(", ")}]`;
  if (value === null || typeof value !== "object") return JSON.stringify(value);
  return `{ ${Object.entries(value)
    .map(([key, part]) => `${key}: ${source(part)}`)
    .join(", ")} }`;
}
