/** Finds the schemas, anchors and ids of a schema document, and resolves the references between them. */
import type { Reason } from "../../contract/errors.js";
import { KEYWORDS } from "./keywords.js";
import { formatValue, isObject, type JsonObject, type JsonSchema, pointerStep } from "./values.js";

export interface Subschema {
  readonly pointer: string;
  readonly schema: JsonSchema;
  /**
   * The schema resource that contains this schema (JSON Schema 2020-12 core, section 4.3.5). Relative
   * references are resolved against the resource's URI.
   */
  readonly resource: Resource;
}

/** A schema resource: the root of the document, or a subschema with an `$id`. */
export interface Resource {
  readonly uri: string;
  readonly pointer: string;
  readonly anchors: Map<string, Subschema>;
  readonly dynamicAnchors: Map<string, Subschema>;
}

/**
 * The target of a reference. If a `$dynamicRef` points to a `$dynamicAnchor`, `dynamic` is the anchor's name,
 * which validation must look up again.
 */
export interface Target {
  readonly subschema: Subschema;
  readonly dynamic?: string;
}

/**
 * The base URI of a document without an `$id`. References are resolved within the document and never fetched.
 */
const BASE = "schema:///";

export class SchemaDocument {
  readonly subschemas = new Map<string, Subschema>();
  /** Keyed by absolute URI without a fragment. */
  readonly resources = new Map<string, Resource>();
  /** Reasons to reject the document: unknown keywords, invalid `$id`s, and duplicate `$id`s or anchors. */
  readonly problems: Reason[] = [];

  constructor(document: JsonSchema) {
    this.#visit(document, "", undefined);
  }

  /**
   * Resolves the value of a `$ref` or `$dynamicRef`. Returns undefined if it does not point to a schema in
   * this document.
   */
  resolve(from: Subschema, reference: string): Target | undefined {
    const uri = resolveUri(reference, from.resource.uri);
    if (uri === undefined) return undefined;
    const resource = this.resources.get(uri.base);
    if (resource === undefined) return undefined;
    if (uri.fragment === "" || uri.fragment.startsWith("/")) {
      const pointer =
        resource.pointer + uri.fragment.split("/").slice(1).map(unescapeStep).map(pointerStep).join("");
      const subschema = this.subschemas.get(pointer);
      return subschema && { subschema };
    }
    const dynamic = resource.dynamicAnchors.get(uri.fragment);
    if (dynamic) return { subschema: dynamic, dynamic: uri.fragment };
    const subschema = resource.anchors.get(uri.fragment);
    return subschema && { subschema };
  }

  #visit(schema: unknown, pointer: string, parent: Resource | undefined): void {
    if (typeof schema !== "boolean" && !isObject(schema)) return;
    const resource = this.#resourceOf(schema, pointer, parent);
    const subschema = { pointer, schema, resource };
    this.subschemas.set(pointer, subschema);
    if (typeof schema === "boolean") return;
    this.#addAnchors(schema, subschema);
    for (const [keyword, value] of Object.entries(schema)) {
      const at = pointer + pointerStep(keyword);
      const holds = KEYWORDS.get(keyword);
      if (holds === undefined) this.#problem(at, keyword, unknownKeyword(keyword));
      else if (holds === "schema") this.#visit(value, at, resource);
      else if (holds !== "data") this.#visitEach(value, at, resource);
    }
  }

  #visitEach(value: unknown, pointer: string, resource: Resource): void {
    if (typeof value !== "object" || value === null) return;
    const isList = Array.isArray(value);
    for (const [key, schema] of Object.entries(value)) {
      this.#visit(schema, pointer + pointerStep(isList ? Number(key) : key), resource);
    }
  }

  #resourceOf(schema: JsonSchema, pointer: string, parent: Resource | undefined): Resource {
    const id = typeof schema === "object" && typeof schema.$id === "string" ? schema.$id : undefined;
    if (parent && id === undefined) return parent;
    const uri = resolveUri(id ?? "", parent?.uri ?? BASE);
    if (uri === undefined)
      this.#problem(`${pointer}/$id`, "$id", `${formatValue(id)} is not a valid URI reference`);
    const resource = {
      uri: uri?.base ?? `${BASE}unreadable${pointer}`,
      pointer,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    if (this.resources.has(resource.uri))
      this.#problem(
        `${pointer}/$id`,
        "$id",
        `${formatValue(id)} occurs twice in the document; each $id must be unique`,
      );
    else this.resources.set(resource.uri, resource);
    return resource;
  }

  #addAnchors(schema: JsonObject, subschema: Subschema): void {
    const { anchors, dynamicAnchors } = subschema.resource;
    for (const keyword of ["$anchor", "$dynamicAnchor"]) {
      const name = schema[keyword];
      if (typeof name !== "string") continue;
      const known = anchors.get(name);
      if (known && known !== subschema) {
        this.#problem(
          `${subschema.pointer}/${keyword}`,
          keyword,
          `the anchor ${formatValue(name)} occurs twice; each anchor must be unique`,
        );
      }
      anchors.set(name, subschema);
      if (keyword === "$dynamicAnchor") dynamicAnchors.set(name, subschema);
    }
  }

  #problem(instancePath: string, keyword: string, message: string): void {
    this.problems.push({ instancePath, keyword, message });
  }
}

/** Maps keywords of older drafts and of OpenAPI 3.0 to the keywords that replace them. */
const REPLACED: ReadonlyMap<string, string> = new Map([
  ["id", '"$id"'],
  ["additionalItems", '"items" beside "prefixItems"'],
  ["$recursiveRef", '"$dynamicRef"'],
  ["$recursiveAnchor", '"$dynamicAnchor"'],
  ["nullable", '"null" in "type"'],
  ["example", '"examples"'],
]);

function unknownKeyword(keyword: string): string {
  const use = REPLACED.get(keyword);
  const advice = use ? `use ${use}` : 'put custom data under "$comment" or "examples"';
  return `${formatValue(keyword)} is not a keyword of JSON Schema 2020-12; ${advice}`;
}

function resolveUri(reference: string, base: string): { base: string; fragment: string } | undefined {
  try {
    const url = new URL(reference, base);
    const fragment = decodeURIComponent(url.hash.slice(1));
    url.hash = "";
    return { base: url.href, fragment };
  } catch {
    return undefined;
  }
}

function unescapeStep(step: string): string {
  return step.replaceAll("~1", "/").replaceAll("~0", "~");
}
