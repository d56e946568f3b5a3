/** Parses a schema document into nodes and resolves its references (JSON Schema 2020-12 core, sections 8 and 9). */

import { isObject, type JsonSchema } from "../json.js";
import {
  ANNOTATION_KEYWORDS,
  DEFINITION_KEYWORDS,
  MODIFIER_KEYWORDS,
  SUBSCHEMA_KEYWORDS,
  SUBSCHEMA_LIST_KEYWORDS,
  SUBSCHEMA_MAP_KEYWORDS,
} from "./keywords.js";

/** A subschema and its location. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly document: SchemaDocument;
  /** JSON Pointer from the document's root. */
  readonly pointer: string;
  /** The absolute URI against which the references of this schema are resolved. */
  readonly base: string;
  /** Nodes with the same id accept the same values. `assignEquivalenceClasses` sets the id. */
  classId: number;
}

/** The base URI of a document without an `$id`. It is never fetched. */
const NO_BASE = "http://document.invalid/";

export class SchemaDocument {
  readonly root: SchemaNode;
  /** All nodes of the document, each one after its parent. */
  readonly nodes: SchemaNode[] = [];
  /** The schemas whose `$dynamicRef` has several possible targets. */
  private readonly ambiguousNodes = new Set<SchemaNode>();
  private readonly byPointer = new Map<string, SchemaNode>();
  private readonly resources = new Map<string, SchemaNode>();
  private readonly anchors = new Map<string, SchemaNode>();
  private readonly dynamicAnchors = new Map<string, SchemaNode[]>();

  constructor(schema: JsonSchema) {
    this.root = this.add(schema, "", NO_BASE);
    this.resources.set(NO_BASE, this.root);
    this.resources.set(this.root.base, this.root);
    this.walk(0);
    for (let i = 0; i < this.nodes.length; i++) {
      const known = this.nodes.length;
      this.targets(this.nodes[i] as SchemaNode);
      this.walk(known);
    }
  }

  get ambiguousReferences(): SchemaNode[] {
    return [...this.ambiguousNodes];
  }

  get ambiguous(): boolean {
    return this.ambiguousNodes.size > 0;
  }

  /**
   * Returns a subschema of a node.
   * @param tokens the path of the subschema, for example `"properties", "name"`
   */
  child(node: SchemaNode, ...tokens: (string | number)[]): SchemaNode {
    const path = tokens.map((token) => `/${escapeToken(String(token))}`).join("");
    const found = this.byPointer.get(node.pointer + path);
    if (found) return found;
    let value: unknown = node.schema;
    for (const token of tokens) value = (value as Record<string, unknown>)[token];
    return this.add(value as JsonSchema, node.pointer + path, node.base);
  }

  /** Returns the targets of a node's `$ref` and `$dynamicRef`. The target of an unresolvable reference is undefined. */
  targets(node: SchemaNode): (SchemaNode | undefined)[] {
    if (!isObject(node.schema)) return [];
    return (["$ref", "$dynamicRef"] as const).flatMap((keyword) =>
      Object.hasOwn(node.schema as object, keyword) ? [this.target(node, keyword)] : [],
    );
  }

  target(node: SchemaNode, keyword: "$ref" | "$dynamicRef"): SchemaNode | undefined {
    const reference = (node.schema as Record<string, unknown>)[keyword];
    const uri = typeof reference === "string" ? resolveUri(reference, node.base) : undefined;
    if (uri === undefined) return undefined;
    const hash = uri.indexOf("#");
    const fragment = hash < 0 ? "" : decode(uri.slice(hash + 1));
    const resource = this.resources.get(hash < 0 ? uri : uri.slice(0, hash));
    if (!resource || fragment === undefined) return undefined;
    if (fragment === "") return resource;
    if (fragment.startsWith("/")) return this.byPath(resource, fragment);
    const target = this.anchors.get(`${resource.base}#${fragment}`);
    const dynamic = keyword === "$dynamicRef" && isObject(target?.schema) && target.schema.$dynamicAnchor;
    if (dynamic === fragment && (this.dynamicAnchors.get(fragment)?.length ?? 0) > 1) {
      this.ambiguousNodes.add(node);
      return undefined;
    }
    return target;
  }

  private byPath(resource: SchemaNode, path: string): SchemaNode | undefined {
    const found = this.byPointer.get(resource.pointer + path);
    if (found) return found;
    let value: unknown = resource.schema;
    for (const token of path.slice(1).split("/").map(unescapeToken)) {
      if (typeof value !== "object" || value === null || !Object.hasOwn(value, token)) return undefined;
      value = (value as Record<string, unknown>)[token];
    }
    if (typeof value !== "boolean" && !isObject(value)) return undefined;
    return this.add(value, resource.pointer + path, resource.base);
  }

  /** Adds the subschemas of all nodes from index `start` on, at every depth. */
  private walk(start: number): void {
    for (let i = start; i < this.nodes.length; i++) {
      const node = this.nodes[i] as SchemaNode;
      for (const tokens of subschemas(node.schema)) this.child(node, ...tokens);
    }
  }

  private add(schema: JsonSchema, pointer: string, parentBase: string): SchemaNode {
    const id = isObject(schema) && typeof schema.$id === "string" ? schema.$id : undefined;
    const base = (id !== undefined && withoutFragment(resolveUri(id, parentBase))) || parentBase;
    const node: SchemaNode = { schema, document: this, pointer, base, classId: -1 };
    this.nodes.push(node);
    this.byPointer.set(pointer, node);
    if (id !== undefined) this.resources.set(base, node);
    if (!isObject(schema)) return node;
    const { $anchor, $dynamicAnchor } = schema;
    for (const name of [$anchor, $dynamicAnchor]) {
      if (typeof name === "string") this.anchors.set(`${base}#${name}`, node);
    }
    if (typeof $dynamicAnchor === "string") {
      const same = this.dynamicAnchors.get($dynamicAnchor) ?? [];
      this.dynamicAnchors.set($dynamicAnchor, [...same, node]);
    }
    return node;
  }
}

/**
 * Returns the keywords of a schema that assert something. Keywords that only modify another keyword, such as `then`,
 * are omitted.
 */
export function assertedKeywords({ schema }: SchemaNode): string[] {
  if (!isObject(schema)) return [];
  return Object.keys(schema).filter(
    (keyword) => !ANNOTATION_KEYWORDS.has(keyword) && !MODIFIER_KEYWORDS.has(keyword),
  );
}

/** Returns the number of leading items that `prefixItems` constrains. */
export function prefixLength(schema: Record<string, unknown>): number {
  return Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
}

/** Returns the paths of the direct subschemas of a schema, such as `["properties", "name"]`. */
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

/** Returns the paths of the direct subschemas that apply to an object if it has the property with the name in the path. */
export function dependentSchemas(schema: JsonSchema): (string | number)[][] {
  return subschemas(schema).filter(
    ([keyword]) => keyword === "dependentSchemas" || keyword === "dependencies",
  );
}

export function isSchema(value: unknown): value is JsonSchema {
  return typeof value === "boolean" || isObject(value);
}

function resolveUri(reference: string, base: string): string | undefined {
  try {
    return new URL(reference, base).href;
  } catch {
    return undefined;
  }
}

function withoutFragment(uri: string | undefined): string | undefined {
  return uri?.split("#", 1)[0];
}

function decode(fragment: string): string | undefined {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return undefined;
  }
}

export function escapeToken(token: string): string {
  return token.replaceAll("~", "~0").replaceAll("/", "~1");
}

function unescapeToken(token: string): string {
  return token.replaceAll("~1", "/").replaceAll("~0", "~");
}
