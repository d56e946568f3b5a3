/** Types of the catalogue, which describes operations as data. */
import type { Operation } from "./operation.js";

/** A type of JSON Schema. */
export type FieldType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** One property of an operation's input. */
export interface CatalogueField {
  /** The part of the HTTP request that carries the field. */
  place: "path" | "query" | "body";
  required: boolean;
  /** The type or types that a value of the field may have. It is absent if any JSON value is allowed. */
  type?: FieldType | readonly FieldType[];
  /** The allowed values. */
  enum?: readonly string[];
  /** The type of the items of an array. */
  items?: { type?: FieldType };
  description?: string;
  example?: unknown;
}

/**
 * The description of an API operation and its input. A program can show it, and pass it to `call` or `lines`.
 */
export interface CatalogueEntry extends Operation {
  /** True if the operation streams JSON lines. Then call it with `lines` instead of `call`. */
  lines?: boolean;
  /** The credential that the operation requires: the API key of an agent, or the ID token of a human. */
  auth: "key" | "token";
  /** A description of the operation in one line. */
  summary: string;
  description?: string;
  fields: Readonly<Record<string, CatalogueField>>;
}
