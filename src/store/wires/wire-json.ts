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

/** A field that older documents lack, with its default as JSON. */
interface LaterField {
  name: string;
  absent: string;
}

/**
 * The fields that older documents lack. The newest is first, because the contract declares them in this
 * order.
 */
const LATER_FIELDS: readonly LaterField[] = Object.entries<object>(Wire.properties).flatMap(
  ([name, shape]) => ("default" in shape ? [{ name, absent: JSON.stringify(shape.default) }] : []),
);

/**
 * Serialises a wire for storage. Fields that were added to the contract later come first, starting with the
 * newest, so that a document's first field shows which fields the document lacks.
 */
export function toDoc(wire: Wire): string {
  if (LATER_FIELDS.length === 0) return JSON.stringify(wire);
  const later = LATER_FIELDS.map(({ name }) => [name, wire[name as keyof Wire]]);
  return JSON.stringify({ ...Object.fromEntries(later), ...wire });
}

/**
 * Returns the SQL expression for a document that is completed with the defaults of the fields that it lacks.
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

/** Adds a field at the beginning of a wire's JSON. */
export function prependField(json: string, name: string, value: string): string {
  return `{"${name}":${value},${json.slice(1)}`;
}

const lastField = (name: keyof Wire) => ({ before: `,"${name}":`, after: "}" });

/**
 * Adds a field at the end of a wire's JSON.
 * @param value the JSON of the value
 */
export function appendField(json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  return json.slice(0, -1) + before + value + after;
}

/** Returns the SQL expression that does the same as {@link appendField}. */
export function appendFieldSql(engine: EngineName, json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  // Cast the JSON to bytes, because SQLite's `substr` counts the characters of a text from its start, which
  // is slow.
  const open =
    engine === "sqlite"
      ? `substr(CAST(${json} AS BLOB), 1, octet_length(${json}) - 1)`
      : `substr(${json}, 1, length(${json}) - 1)`;
  return `${open} || '${before}' || ${value} || '${after}'`;
}
