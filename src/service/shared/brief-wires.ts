/** Shortens the wires (messages) of a page (docs/specification/reading.md#brief-pages). */
import { BRIEF_TEXT } from "../../contract/fields.js";
import type { Wire } from "../../contract/shapes.js";
import { type Encodable, jsonToString, RawJson, splitJsonArray } from "../../kernel/raw-json.js";

/** The field `brief` of a request. */
type Brief = "true" | "false" | undefined;

/** Length of JSON after which other requests run, because parsing a page of 4 MiB takes up to 0.3 s. */
const LENGTH_PER_TURN = 64 * 1024;

/**
 * Returns the wires (messages) of a page, shortened if `brief` is `"true"`.
 * @param wires each wire as JSON, or a JSON array that the store has joined
 */
export async function briefWires(
  wires: readonly RawJson<Wire>[] | RawJson<Wire[]>,
  brief: Brief,
): Promise<Encodable<Wire[]>> {
  const isJoined = wires instanceof RawJson;
  if (brief !== "true") return isJoined ? wires : [...wires];
  return shorten(
    isJoined ? splitJsonArray(jsonToString(wires.json)) : wires.map(({ json }) => jsonToString(json)),
  );
}

async function shorten(docs: readonly string[]): Promise<Wire[]> {
  const wires: Wire[] = [];
  let length = 0;
  for (const doc of docs) {
    length += doc.length;
    if (length > LENGTH_PER_TURN) {
      await new Promise((resolve) => setImmediate(resolve));
      length = doc.length;
    }
    wires.push(briefWire(JSON.parse(doc) as Wire));
  }
  return wires;
}

function briefWire(wire: Wire): Wire {
  const text = wire.text_body === null ? null : cutText(wire.text_body);
  const cut = text !== wire.text_body || wire.payload !== null || wire.reply_rule !== null;
  return { ...wire, text_body: text, payload: null, reply_rule: null, cut };
}

/** Returns the first {@link BRIEF_TEXT} code points of a text. */
function cutText(text: string): string {
  // A text of this many UTF-16 code units has no more code points.
  if (text.length <= BRIEF_TEXT) return text;
  let end = 0;
  for (let count = 0; count < BRIEF_TEXT && end < text.length; count++)
    end += text.codePointAt(end)! > 0xffff ? 2 : 1;
  return text.slice(0, end);
}
