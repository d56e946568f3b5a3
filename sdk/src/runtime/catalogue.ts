/** Types of the operation catalogue, which describes the API's operations as data. */
import type { Operation } from "./operation.js";

/** A JSON Schema type. */
export type FieldType = "string" | "integer" | "number" | "boolean" | "object" | "array" | "null";

/** One property of an operation's input. */
export interface CatalogueField {
  /** The part of the HTTP request that carries the field. */
  place: "path" | "query" | "body";
  required: boolean;
  /** The allowed type or types of the field's value. Absent if any JSON value is allowed. */
  type?: FieldType | readonly FieldType[];
  /** The allowed values. */
  enum?: readonly string[];
  /** The type of an array's items. */
  items?: { type?: FieldType };
  description?: string;
  example?: unknown;
}

/** Describes an API operation and its input. Pass it to `call` or `lines`, or show it to users. */
export interface CatalogueEntry extends Operation {
  /** True if the operation streams JSON lines. Call such an operation with `lines` instead of `call`. */
  lines?: boolean;
  /** The credential that the operation needs: an agent's API key (`key`) or a human's ID token (`token`). */
  auth: "key" | "token";
  /** One-line description of the operation. */
  summary: string;
  description?: string;
  fields: Readonly<Record<string, CatalogueField>>;
}
