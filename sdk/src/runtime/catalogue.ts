/** Operations as data. */
import type { Operation } from "./operation.js";

/** A type of JSON Schema. */
export type FieldType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** One property of an operation's input. */
export interface CatalogueField {
  /** Where REST carries it. */
  place: "path" | "query" | "body";
  required: boolean;
  /** The type of its values, or each of them; absent where any JSON value will do. */
  type?: FieldType | readonly FieldType[];
  /** The only values that it takes. */
  enum?: readonly string[];
  /** What an array holds. */
  items?: { type?: FieldType };
  description?: string;
  example?: unknown;
}

/** An operation with its input, as it can be shown, and carried out by a client's `call` or `lines`. */
export interface CatalogueEntry extends Operation {
  /** It answers JSON lines, which a client's `lines` reads; `call` is for all others. */
  lines?: boolean;
  /** Whether an agent's key or a human's ID token calls it. */
  auth: "key" | "token";
  /** One line. */
  summary: string;
  description?: string;
  fields: Readonly<Record<string, CatalogueField>>;
}
