/** A schema document with its subschemas as nodes, and its references resolved (JSON Schema 2020-12 core, sections 8 and 9). */

import { isObject, type JsonSchema } from "../json.js";
import { ANNOTATIONS, DEFINITIONS, HELPERS, LISTS, MAPS, SINGLE } from "./keywords.js";

/** One subschema at its place. */
export interface SchemaNode {
  readonly schema: JsonSchema;
  readonly document: SchemaDocument;
  /** JSON Pointer from the document's root. */
  readonly pointer: string;
  /** The absolute URI that `$ref`s in it are resolved against. */
  readonly base: string;
  /** Nodes of the same class accept the same instances; set by `assignEquivalenceClasses`. */
  classId: number;
}

/** The base URI of a document without an `$id`; never fetched. */
const NO_BASE = "http://document.invalid/";

export class SchemaDocument {
  readonly root: SchemaNode;
  /** Every node, each after its parent. */
  readonly nodes: SchemaNode[] = [];
  /** Whether a `$dynamicRef` has several targets to choose from at run time. */
  ambiguous = false;
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

  /** The subschema below a node, by the keyword and, where its value is a list or a map, the index or name. */
  child(node: SchemaNode, ...tokens: (string | number)[]): SchemaNode {
    const path = tokens.map((token) => `/${escapeToken(String(token))}`).join("");
    const found = this.byPointer.get(node.pointer + path);
    if (found) return found;
    let value: unknown = node.schema;
    for (const token of tokens) value = (value as Record<string, unknown>)[token];
    return this.add(value as JsonSchema, node.pointer + path, node.base);
  }

  /** The targets of a node's `$ref` and `$dynamicRef`; undefined for one that cannot be resolved. */
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
      this.ambiguous = true;
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

  /** Adds all subschemas below the nodes from `start` on. */
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

/** The asserting keywords of a schema, one per statement that it makes. */
export function assertedKeywords({ schema }: SchemaNode): string[] {
  if (!isObject(schema)) return [];
  return Object.keys(schema).filter((keyword) => !ANNOTATIONS.has(keyword) && !HELPERS.has(keyword));
}

/** The number of items that `prefixItems` applies to. */
export function prefixLength(schema: Record<string, unknown>): number {
  return Array.isArray(schema.prefixItems) ? schema.prefixItems.length : 0;
}

/** The places of the direct subschemas of a schema. */
export function subschemas(schema: JsonSchema): (string | number)[][] {
  if (!isObject(schema)) return [];
  const places: (string | number)[][] = [];
  for (const keyword of SINGLE) if (isSchema(schema[keyword])) places.push([keyword]);
  for (const keyword of LISTS) {
    const list = schema[keyword];
    if (Array.isArray(list)) list.forEach((_, index) => void places.push([keyword, index]));
  }
  for (const keyword of [...MAPS, ...DEFINITIONS]) {
    const map = schema[keyword];
    if (!isObject(map)) continue;
    for (const name of Object.keys(map)) if (isSchema(map[name])) places.push([keyword, name]);
  }
  return places;
}

function isSchema(value: unknown): value is JsonSchema {
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
