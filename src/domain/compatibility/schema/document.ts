/** Parses a schema document into nodes, and resolves references as the validator does. */

import { SchemaDocument as DocumentIndex, type Subschema } from "../../json-schema/document.js";
import { isObject, type JsonSchema, pointerStep } from "../../json-schema/values.js";
import {
  ANNOTATION_KEYWORDS,
  DEFINITION_KEYWORDS,
  MODIFIER_KEYWORDS,
  SUBSCHEMA_KEYWORDS,
  SUBSCHEMA_LIST_KEYWORDS,
  SUBSCHEMA_MAP_KEYWORDS,
} from "./keywords.js";

export interface SchemaNode extends Subschema {
  readonly document: SchemaDocument;
  /** Nodes with the same id accept the same values. `assignEquivalenceClasses` sets the id. */
  classId: number;
}

export class SchemaDocument {
  readonly root: SchemaNode;
  /** Each node comes after its parent. */
  readonly nodes: SchemaNode[] = [];
  private readonly ambiguousNodes = new Set<SchemaNode>();
  private readonly byPointer = new Map<string, SchemaNode>();
  /**
   * Resolves references. The comparison must resolve each reference to the same schema as the validator.
   * Otherwise, a change that seems compatible could make the validator reject old values.
   */
  readonly index: DocumentIndex;
  /** Maps the name of a `$dynamicAnchor` to the number of schemas that have it. */
  private readonly dynamicAnchors = new Map<string, number>();

  constructor(schema: JsonSchema) {
    this.index = new DocumentIndex(schema);
    for (const subschema of this.index.subschemas.values()) this.add(subschema);
    for (const { dynamicAnchors } of this.index.resources.values()) {
      for (const name of dynamicAnchors.keys())
        this.dynamicAnchors.set(name, (this.dynamicAnchors.get(name) ?? 0) + 1);
    }
    this.root = this.byPointer.get("") as SchemaNode;
    for (const node of this.nodes) this.targets(node);
  }

  get ambiguousReferences(): SchemaNode[] {
    return [...this.ambiguousNodes];
  }

  get ambiguous(): boolean {
    return this.ambiguousNodes.size > 0;
  }

  child(node: SchemaNode, ...tokens: (string | number)[]): SchemaNode {
    const path = tokens.map((token) => pointerStep(String(token))).join("");
    const found = this.byPointer.get(node.pointer + path);
    if (found) return found;
    let value: unknown = node.schema;
    for (const token of tokens) value = (value as Record<string, unknown>)[token];
    return this.add({ ...node, schema: value as JsonSchema, pointer: node.pointer + path });
  }

  /** Resolves `$ref` and `$dynamicRef`. A target is undefined if its reference does not resolve. */
  targets(node: SchemaNode): (SchemaNode | undefined)[] {
    if (!isObject(node.schema)) return [];
    return (["$ref", "$dynamicRef"] as const).flatMap((keyword) =>
      Object.hasOwn(node.schema as object, keyword) ? [this.target(node, keyword)] : [],
    );
  }

  target(node: SchemaNode, keyword: "$ref" | "$dynamicRef"): SchemaNode | undefined {
    const reference = (node.schema as Record<string, unknown>)[keyword];
    const target = typeof reference === "string" ? this.index.resolve(node, reference) : undefined;
    if (target === undefined) return undefined;
    const { dynamic } = target;
    if (keyword === "$dynamicRef" && dynamic !== undefined && this.dynamicAnchors.get(dynamic) !== 1) {
      this.ambiguousNodes.add(node);
      return undefined;
    }
    return this.byPointer.get(target.subschema.pointer);
  }

  private add({ schema, pointer, resource }: Subschema): SchemaNode {
    const node: SchemaNode = { schema, document: this, pointer, resource, classId: -1 };
    this.nodes.push(node);
    this.byPointer.set(pointer, node);
    return node;
  }
}

/**
 * Returns the schema's keywords that assert something by themselves. Keywords such as `then`, which only
 * modify another keyword, are omitted.
 */
export function assertedKeywords({ schema }: SchemaNode): string[] {
  if (!isObject(schema)) return [];
  return Object.keys(schema).filter(
    (keyword) => !ANNOTATION_KEYWORDS.has(keyword) && !MODIFIER_KEYWORDS.has(keyword),
  );
}

export function prefixLength(schema: Record<string, unknown>): number {
  return Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
}

export function subschemas(schema: JsonSchema): (string | number)[][] {
  if (!isObject(schema)) return [];
  const places: (string | number)[][] = [];
  for (const keyword of SUBSCHEMA_KEYWORDS) if (isSchema(schema[keyword])) places.push([keyword]);
  for (const keyword of SUBSCHEMA_LIST_KEYWORDS) {
    const list = schema[keyword];
    if (Array.isArray(list)) list.forEach((_, index) => void places.push([keyword, index]));
  }
  for (const keyword of [...SUBSCHEMA_MAP_KEYWORDS, ...DEFINITION_KEYWORDS]) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const name of Object.keys(map)) if (isSchema(map[name])) places.push([keyword, name]);
  }
  return places;
}

/**
 * Returns the paths of direct subschemas that apply only to objects with a certain property. Each path ends
 * in the property's name.
 */
export function dependentSchemas(schema: JsonSchema): (string | number)[][] {
  return subschemas(schema).filter(
    ([keyword]) => keyword === "dependentSchemas" || keyword === "dependencies",
  );
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isObject(value);
}
