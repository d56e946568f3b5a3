/**
 * Builds a wire's JSON from its stored document, in TypeScript and in SQL. New fields go before or after the
 * stored document, so the document is never parsed. A stored document is never rewritten when the contract
 * gets a field (docs/decisions/002-store-wires-as-serialised-json.md).
 */
import type { Wire } from "../../contract/shapes.js";
import { type EngineSql, sql } from "../engine/sql.js";

/** Puts `hops` behind the id, where `hopsIn` finds it without parsing the document. */
export function toDoc({ id, hops, ...others }: Wire): string {
  return JSON.stringify({ id, hops, ...others });
}

/** Returns SQL for the start of a document, which contains `hops`. */
export function docHead(doc: string): string {
  return `substr(${doc}, 1, 80)`;
}

/** Returns the `hops` of a wire, and 0 if the wire was stored without the field. */
export function hopsIn(head: string): number {
  return Number(/^\{"id":"[^"]*","hops":(\d+)/.exec(head)?.[1] ?? 0);
}

/** Finds `created_at` without parsing: takes the last match, because a payload may contain the same name. */
export function createdAtIn(doc: string): string {
  const name = '"created_at":"';
  const start = doc.lastIndexOf(name) + name.length;
  return doc.slice(start, doc.indexOf('"', start));
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
export function appendFieldSql(json: string, name: keyof Wire, value: string): EngineSql {
  const { before, after } = lastField(name);
  const open = {
    // Cast to bytes, because SQLite's `substr` counts a text's characters from its start, which is slow.
    sqlite: `substr(CAST(${json} AS BLOB), 1, octet_length(${json}) - 1)`,
    postgres: `substr(${json}, 1, length(${json}) - 1)`,
  };
  return sql`${open} || '${before}' || ${value} || '${after}'`;
}
