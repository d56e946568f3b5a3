/**
 * Builds a wire's JSON from its stored document, in TypeScript and in SQL. New fields go before or after the
 * stored document, so the document is never parsed.
 *
 * A stored document is never rewritten, so it lacks fields that were added to the contract later. The
 * contract states a `default` for each of these fields, and every read of a document adds them with
 * `completeDoc`. docs/decisions/002-store-wires-as-serialised-json.md explains why.
 */
import { Wire } from "../../contract/shapes.js";
import type { EngineName } from "../engine/sql.js";

interface LaterField {
  name: string;
  absent: string;
}

/** The newest is first, because the contract declares them in this order. */
const LATER_FIELDS: readonly LaterField[] = Object.entries<object>(Wire.properties).flatMap(
  ([name, shape]) => ("default" in shape ? [{ name, absent: JSON.stringify(shape.default) }] : []),
);

/**
 * Fields that were added to the contract later come first, so that a document's first field shows which
 * fields the document lacks.
 */
export function toDoc(wire: Wire): string {
  if (LATER_FIELDS.length === 0) return JSON.stringify(wire);
  const later = LATER_FIELDS.map(({ name }) => [name, wire[name as keyof Wire]]);
  return JSON.stringify({ ...Object.fromEntries(later), ...wire });
}

/**
 * Adds the defaults of the fields that a document lacks.
 * @param doc SQL expression for the stored document
 */
export function completeDoc(doc: string, later = LATER_FIELDS): string {
  const cases = later.map(({ name }, lacking) => {
    const start = `{"${name}":`;
    return `WHEN substr(${doc}, 1, ${start.length}) = '${start}' THEN ${filled(doc, later.slice(0, lacking))}`;
  });
  return cases.length === 0 ? doc : `CASE ${cases.join(" ")} ELSE ${filled(doc, later)} END`;
}

function filled(doc: string, lacking: readonly LaterField[]): string {
  if (lacking.length === 0) return doc;
  const fields = lacking.map(({ name, absent }) => `"${name}":${absent},`).join("");
  return `'{${fields.replaceAll("'", "''")}' || substr(${doc}, 2)`;
}

export function prependField(json: string, name: string, value: string): string {
  return `{"${name}":${value},${json.slice(1)}`;
}

const lastField = (name: keyof Wire) => ({ before: `,"${name}":`, after: "}" });

/** @param value the JSON of the value */
export function appendField(json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  return json.slice(0, -1) + before + value + after;
}

/** {@link appendField} in SQL. */
export function appendFieldSql(engine: EngineName, json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  // Cast to bytes, because SQLite's `substr` counts a text's characters from its start, which is slow.
  const open =
    engine === "sqlite"
      ? `substr(CAST(${json} AS BLOB), 1, octet_length(${json}) - 1)`
      : `substr(${json}, 1, length(${json}) - 1)`;
  return `${open} || '${before}' || ${value} || '${after}'`;
}
