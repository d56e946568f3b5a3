/**
 * Builds the JSON of a wire from its stored document, in TypeScript and in SQL. New fields go before or after
 * the stored document, so the document is never parsed.
 *
 * A stored document is never rewritten, so it lacks fields that the contract got later. The contract states a
 * `default` for each of these fields, and every read of a document adds them with `completeDoc`.
 * docs/decisions/002-store-wires-as-serialised-json.md explains why.
 */
import { Wire } from "../../contract/shapes.js";
import type { EngineName } from "../engine/sql.js";

/** A field that older documents lack, with its default as JSON. */
interface LaterField {
  name: string;
  absent: string;
}

/** The fields that older documents lack, newest first, because the contract declares them in this order. */
const LATER_FIELDS: readonly LaterField[] = Object.entries<object>(Wire.properties).flatMap(
  ([name, shape]) => ("default" in shape ? [{ name, absent: JSON.stringify(shape.default) }] : []),
);

/**
 * Serialises a wire for storage. Later fields come first, starting with the newest, because a document's
 * first field then tells which fields the document lacks.
 */
export function toDoc(wire: Wire): string {
  if (LATER_FIELDS.length === 0) return JSON.stringify(wire);
  const later = LATER_FIELDS.map(({ name }) => [name, wire[name as keyof Wire]]);
  return JSON.stringify({ ...Object.fromEntries(later), ...wire });
}

/**
 * Returns the SQL expression for a document, completed with the defaults of the fields that it lacks.
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

/** Returns the JSON of a wire with another field added at its beginning. */
export function prependField(json: string, name: string, value: string): string {
  return `{"${name}":${value},${json.slice(1)}`;
}

const lastField = (name: keyof Wire) => ({ before: `,"${name}":`, after: "}" });

/**
 * Returns the JSON of a wire with another field added at its end.
 * @param value the JSON of the value
 */
export function appendField(json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  return json.slice(0, -1) + before + value + after;
}

/** Returns the SQL expression for the result of {@link appendField}. */
export function appendFieldSql(engine: EngineName, json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  // Cast the JSON to bytes: SQLite's `substr` is slow on text, where it counts characters from the start.
  const open =
    engine === "sqlite"
      ? `substr(CAST(${json} AS BLOB), 1, octet_length(${json}) - 1)`
      : `substr(${json}, 1, length(${json}) - 1)`;
  return `${open} || '${before}' || ${value} || '${after}'`;
}
