/** Holds the documents of an import, determines their drafts, and resolves their references. */
import { isObject, type JsonObject, pointerStep } from "../values.js";

/** The draft of JSON Schema, or the version of OpenAPI, in which a schema is written. */
export interface Dialect {
  name: string;
  version: 4 | 6 | 7 | 2019 | 2020;
  /** Whether `nullable` is a keyword, as in OpenAPI 3.0 and in documents that name no draft. */
  hasNullable?: true;
}

const DIALECTS: readonly [RegExp, Dialect][] = [
  [/\/\/json-schema\.org\/draft-0[45]\//, { name: "draft 4", version: 4 }],
  [/\/\/json-schema\.org\/draft-06\//, { name: "draft 6", version: 6 }],
  [/\/\/json-schema\.org\/draft-07\//, { name: "draft 7", version: 7 }],
  [/\/\/json-schema\.org\/draft\/2019-09\//, { name: "draft 2019-09", version: 2019 }],
  [/\/\/json-schema\.org\/draft\/2020-12\//, { name: "draft 2020-12", version: 2020 }],
];
const UNDECLARED: Dialect = { name: "draft 2020-12", version: 2020, hasNullable: true };
const OPENAPI_3_0: Dialect = { name: "OpenAPI 3.0", version: 4, hasNullable: true };
const OPENAPI_3_1: Dialect = { name: "OpenAPI 3.1", version: 2020 };

export interface SourceDocument {
  uri: string;
  /** Used in messages. Empty for the first document. */
  name: string;
  root: unknown;
  dialect: Dialect;
  isDeclared: boolean;
}

/** A location in a document. */
export interface Place {
  document: SourceDocument;
  pointer: string;
}

interface Context {
  base: string;
  dialect: Dialect;
}

export class SourceDocuments {
  /** Locations of resources, keyed by URI, and of anchors, keyed by URI and fragment. */
  readonly #places = new Map<string, Place>();
  readonly #dynamicAnchors = new Map<string, number>();

  add(uri: string, name: string, root: unknown): SourceDocument {
    const declared = declaredDialect(root);
    const document = { uri, name, root, dialect: declared ?? UNDECLARED, isDeclared: declared !== undefined };
    this.#places.set(uri, { document, pointer: "" });
    this.#index(root, { document, pointer: "" }, { base: uri, dialect: document.dialect });
    return document;
  }

  /** Returns the target of a reference. If the target was not found, returns the missing URI. */
  resolve(from: Place, reference: string): Place | { missing: string } {
    const { base } = this.contextAt(from);
    if (!URL.canParse(reference, base)) return { missing: reference };
    const url = new URL(reference, base);
    const fragment = decode(url.hash.slice(1));
    url.hash = "";
    const resource = this.#places.get(url.href);
    if (!resource) return { missing: url.href };
    if (fragment === "") return resource;
    if (fragment.startsWith("/"))
      return { document: resource.document, pointer: resource.pointer + fragment };
    return this.#places.get(`${url.href}#${fragment}`) ?? { missing: `${url.href}#${fragment}` };
  }

  isOverridden(anchor: string): boolean {
    return (this.#dynamicAnchors.get(anchor) ?? 0) > 1;
  }

  contextAt({ document, pointer }: Place): Context {
    let value: unknown = document.root;
    let context = contextIn(value, { base: document.uri, dialect: document.dialect });
    for (const step of stepsOf(pointer)) {
      value = childOf(value, step);
      context = contextIn(value, context);
    }
    return context;
  }

  #index(value: unknown, place: Place, around: Context): void {
    if (typeof value !== "object" || value === null) return;
    const context = contextIn(value, around);
    if (context.base !== around.base) this.#places.set(context.base, place);
    if (isObject(value)) this.#indexAnchors(value, place, context);
    for (const [key, child] of Object.entries(value)) {
      if (key === "enum" || key === "const" || key === "examples") continue;
      this.#index(child, { ...place, pointer: place.pointer + pointerStep(key) }, context);
    }
  }

  #indexAnchors(schema: JsonObject, place: Place, { base, dialect }: Context): void {
    const id = identifierOf(schema, dialect);
    const dynamic = schema.$recursiveAnchor === true ? RECURSIVE_ANCHOR : schema.$dynamicAnchor;
    if (typeof dynamic === "string")
      this.#dynamicAnchors.set(dynamic, (this.#dynamicAnchors.get(dynamic) ?? 0) + 1);
    for (const name of [id?.startsWith("#") ? id.slice(1) : undefined, schema.$anchor, dynamic])
      if (typeof name === "string") this.#places.set(`${base}#${name}`, place);
  }
}

/** The name under which a `$recursiveAnchor` is indexed, because it has no name of its own. */
export const RECURSIVE_ANCHOR = "$recursiveAnchor";

function contextIn(value: unknown, around: Context): Context {
  if (!isObject(value)) return around;
  const dialect = declaredDialect(value) ?? around.dialect;
  const id = identifierOf(value, dialect)?.replace(/#.*$/, "");
  const base = id && URL.canParse(id, around.base) ? new URL(id, around.base).href : around.base;
  return { base, dialect };
}

/** Returns a schema's identifier. Up to draft 7, an identifier beside a `$ref` is ignored. */
function identifierOf(schema: JsonObject, { version }: Dialect): string | undefined {
  if (version <= 7 && typeof schema.$ref === "string") return undefined;
  const id = schema.$id ?? (version === 4 ? schema.id : undefined);
  return typeof id === "string" ? id : undefined;
}

function declaredDialect(value: unknown): Dialect | undefined {
  if (!isObject(value)) return undefined;
  const { $schema, openapi, swagger } = value;
  if (typeof openapi === "string") return openapi.startsWith("3.0") ? OPENAPI_3_0 : OPENAPI_3_1;
  if (typeof swagger === "string") return OPENAPI_3_0;
  return typeof $schema === "string" ? DIALECTS.find(([uri]) => uri.test($schema))?.[1] : undefined;
}

export function valueAt({ document, pointer }: Place): unknown {
  return stepsOf(pointer).reduce(childOf, document.root);
}

function childOf(value: unknown, step: string): unknown {
  if (typeof value !== "object" || value === null || !Object.hasOwn(value, step)) return undefined;
  return (value as JsonObject)[step];
}

export function stepsOf(pointer: string): string[] {
  return pointer
    .split("/")
    .slice(1)
    .map((step) => step.replaceAll("~1", "/").replaceAll("~0", "~"));
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment);
  } catch {
    return fragment;
  }
}
