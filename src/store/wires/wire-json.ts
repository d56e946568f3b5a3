/**
 * Builds the JSON of a wire from its stored document, in TypeScript and in SQL. Responses contain the
 * document as it was stored, so a field is put before it or after it, and the document is never parsed.
 *
 * A stored document is never rewritten. It lacks the fields that the contract got later, for which the
 * contract states a `default`; `completeDoc` fills them in whenever a document is read.
 * docs/decisions/002-store-wires-as-serialised-json.md says why.
 */
import { Wire } from "../../contract/shapes.js";
import type { EngineName } from "../engine/sql.js";

/** A field that older documents lack, with the JSON of its default. */
interface LaterField {
  name: string;
  absent: string;
}

/** The newest field is declared first. */
const LATER_FIELDS: readonly LaterField[] = Object.entries<object>(Wire.properties).flatMap(
  ([name, shape]) => ("default" in shape ? [{ name, absent: JSON.stringify(shape.default) }] : []),
);

/**
 * Serialises a wire for storage. Later fields come first, the newest before the others, because the first
 * field of a document then tells which ones it lacks.
 */
export function toDoc(wire: Wire): string {
  if (LATER_FIELDS.length === 0) return JSON.stringify(wire);
  const later = LATER_FIELDS.map(({ name }) => [name, wire[name as keyof Wire]]);
  return JSON.stringify({ ...Object.fromEntries(later), ...wire });
}

/**
 * Returns the SQL expression for a document with the defaults of the fields that it lacks.
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

/** Returns the JSON of a wire with another field at its beginning. */
export function prependField(json: string, name: string, value: string): string {
  return `{"${name}":${value},${json.slice(1)}`;
}

const lastField = (name: keyof Wire) => ({ before: `,"${name}":`, after: "}" });

/**
 * Returns the JSON of a wire with another field at its end.
 * @param value the JSON of the value
 */
export function appendField(json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  return json.slice(0, -1) + before + value + after;
}

/** Returns the SQL expression that does the same. */
export function appendFieldSql(engine: EngineName, json: string, name: keyof Wire, value: string): string {
  const { before, after } = lastField(name);
  // On SQLite, `substr` on a text counts characters from the start, so the JSON is cast to bytes.
  const open =
    engine === "sqlite"
      ? `substr(CAST(${json} AS BLOB), 1, octet_length(${json}) - 1)`
      : `substr(${json}, 1, length(${json}) - 1)`;
  return `${open} || '${before}' || ${value} || '${after}'`;
}
