/** Links a request's trace to the traces that sent the wires it returns (docs/observability.md#traces). */
import { type JsonText, jsonToString } from "../../kernel/raw-json.js";
import { traceparentsOf } from "../../store/wires/traces.js";
import type { Context } from "./context.js";

/** The fields of all outputs that contain wires. */
interface WithWires {
  id?: string;
  thread_id?: string;
  wires?: readonly { id: string }[];
  reply?: { id: string } | null;
}

/** Adds the links. Skips unrecorded requests, because finding the wires means parsing the response. */
export async function linkToSenders({ record, store }: Context, body: JsonText): Promise<void> {
  const { trace } = record;
  if (!trace?.isRecorded) return;
  const ids = wireIdsIn(JSON.parse(jsonToString(body)) as WithWires);
  if (ids.length > 0) trace.link(await traceparentsOf(store.engine.reader, ids));
}

function wireIdsIn({ id, thread_id, wires, reply }: WithWires): string[] {
  if (wires) return wires.map((wire) => wire.id);
  if (reply) return [reply.id];
  return id !== undefined && thread_id !== undefined ? [id] : [];
}
