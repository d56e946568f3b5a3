import type { Reason } from "../../contract/errors.js";
import { KEYWORDS } from "./keywords.js";
import { isObject, type JsonObject, type JsonSchema, pointerStep, show } from "./values.js";

/** One schema inside a document, by its place. */
export interface Subschema {
  /** JSON Pointer from the root of the document. */
  readonly pointer: string;
  readonly schema: JsonSchema;
  /** The schema resource that it belongs to (core, 4.3.5): what its relative references start from. */
  readonly resource: Resource;
}

/** A schema with an identity of its own: the document's root, and each subschema that has an `$id`. */
export interface Resource {
  readonly uri: string;
  readonly pointer: string;
  readonly anchors: Map<string, Subschema>;
  readonly dynamicAnchors: Map<string, Subschema>;
}

/** Where a reference leads; `dynamic` names the anchor that `$dynamicRef` looks up again while validating. */
export interface Target {
  readonly subschema: Subschema;
  readonly dynamic?: string;
}

/** The base of a document without an `$id`. References are resolved inside the document alone; none is ever fetched. */
const BASE = "schema:///";

/** A schema document with each of its schemas, resources and anchors found. */
export class SchemaDocument {
  /** By JSON Pointer. */
  readonly subschemas = new Map<string, Subschema>();
  /** By absolute URI, without a fragment. */
  readonly resources = new Map<string, Resource>();
  /** Unknown keywords, identities that cannot be read or that are given twice. */
  readonly problems: Reason[] = [];

  constructor(document: JsonObject) {
    this.#visit(document, "", undefined);
  }

  /** Follows a `$ref` or `$dynamicRef`; undefined where it leads out of the document or to something else than a schema. */
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
      this.#problem(`${pointer}/$id`, "$id", `${show(id)} is not a URI reference that can be resolved`);
    const resource = {
      uri: uri?.base ?? `${BASE}unreadable${pointer}`,
      pointer,
      anchors: new Map(),
      dynamicAnchors: new Map(),
    };
    if (this.resources.has(resource.uri))
      this.#problem(`${pointer}/$id`, "$id", `${show(id)} is given twice in the document`);
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
        this.#problem(`${subschema.pointer}/${keyword}`, keyword, `the anchor ${show(name)} is given twice`);
      }
      anchors.set(name, subschema);
      if (keyword === "$dynamicAnchor") dynamicAnchors.set(name, subschema);
    }
  }

  #problem(instancePath: string, keyword: string, message: string): void {
    this.problems.push({ instancePath, keyword, message });
  }
}

function unknownKeyword(keyword: string): string {
  return `${show(keyword)} is not a keyword of JSON Schema 2020-12; put data of your own under "$comment" or "examples"`;
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
